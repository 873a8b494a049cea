// One entry for each file of rules of a match. CEmbeddedFiles.c includes this file, which includes MODULE_ENTRY for each.
#define MODULE badminton
#include MODULE_ENTRY
#undef MODULE
#define MODULE basketball
#include MODULE_ENTRY
#undef MODULE
#define MODULE football
#include MODULE_ENTRY
#undef MODULE
#define MODULE racquetball3
#include MODULE_ENTRY
#undef MODULE
#define MODULE racquetball5
#include MODULE_ENTRY
#undef MODULE
#define MODULE tennis
#include MODULE_ENTRY
#undef MODULE
#define MODULE volleyball
#include MODULE_ENTRY
#undef MODULE
