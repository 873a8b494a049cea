// One entry for each module of the player. CEmbeddedFiles.c includes this file, which includes MODULE_ENTRY for each.
#define MODULE adaptation
#include MODULE_ENTRY
#undef MODULE
#define MODULE aes
#include MODULE_ENTRY
#undef MODULE
#define MODULE after
#include MODULE_ENTRY
#undef MODULE
#define MODULE buffer
#include MODULE_ENTRY
#undef MODULE
#define MODULE captions
#include MODULE_ENTRY
#undef MODULE
#define MODULE cbcs
#include MODULE_ENTRY
#undef MODULE
#define MODULE continued
#include MODULE_ENTRY
#undef MODULE
#define MODULE controls
#include MODULE_ENTRY
#undef MODULE
#define MODULE decrypt
#include MODULE_ENTRY
#undef MODULE
#define MODULE elements
#include MODULE_ENTRY
#undef MODULE
#define MODULE embedding
#include MODULE_ENTRY
#undef MODULE
#define MODULE fetch
#include MODULE_ENTRY
#undef MODULE
#define MODULE gapless
#include MODULE_ENTRY
#undef MODULE
#define MODULE gestures
#include MODULE_ENTRY
#undef MODULE
#define MODULE help
#include MODULE_ENTRY
#undef MODULE
#define MODULE hero
#include MODULE_ENTRY
#undef MODULE
#define MODULE live
#include MODULE_ENTRY
#undef MODULE
#define MODULE main
#include MODULE_ENTRY
#undef MODULE
#define MODULE memory
#include MODULE_ENTRY
#undef MODULE
#define MODULE menu
#include MODULE_ENTRY
#undef MODULE
#define MODULE mp4
#include MODULE_ENTRY
#undef MODULE
#define MODULE native
#include MODULE_ENTRY
#undef MODULE
#define MODULE navigation
#include MODULE_ENTRY
#undef MODULE
#define MODULE nowplaying
#include MODULE_ENTRY
#undef MODULE
#define MODULE player
#include MODULE_ENTRY
#undef MODULE
#define MODULE playlist
#include MODULE_ENTRY
#undef MODULE
#define MODULE preview
#include MODULE_ENTRY
#undef MODULE
#define MODULE queue
#include MODULE_ENTRY
#undef MODULE
#define MODULE rendition
#include MODULE_ENTRY
#undef MODULE
#define MODULE session
#include MODULE_ENTRY
#undef MODULE
#define MODULE source
#include MODULE_ENTRY
#undef MODULE
#define MODULE statistics
#include MODULE_ENTRY
#undef MODULE
#define MODULE tester
#include MODULE_ENTRY
#undef MODULE
#define MODULE texttracks
#include MODULE_ENTRY
#undef MODULE
#define MODULE thumbnail
#include MODULE_ENTRY
#undef MODULE
#define MODULE track
#include MODULE_ENTRY
#undef MODULE
