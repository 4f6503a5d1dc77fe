// What CUB of CUDA 12.8 says of itself.
#define CUB_VERSION 200700
