// What CUB of CUDA 12.9 says of itself.
#define CUB_VERSION 200800
