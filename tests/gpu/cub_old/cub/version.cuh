// The version of CUB in CUDA 12.8.
#define CUB_VERSION 200700
