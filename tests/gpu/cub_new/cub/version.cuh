// The version of CUB in CUDA 12.9.
#define CUB_VERSION 200800
