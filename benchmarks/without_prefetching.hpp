// For the ablation (README.md): a build that includes this before everything else does not prefetch.
#pragma once

#define __builtin_prefetch(...) [](auto...) {}(__VA_ARGS__)
