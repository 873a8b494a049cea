// One entry for each script of the site. CEmbeddedFiles.c includes this file, which includes MODULE_ENTRY for each.
#define MODULE app
#include MODULE_ENTRY
#undef MODULE
#define MODULE bell
#include MODULE_ENTRY
#undef MODULE
#define MODULE board
#include MODULE_ENTRY
#undef MODULE
#define MODULE broadcast
#include MODULE_ENTRY
#undef MODULE
#define MODULE broadcastcapture
#include MODULE_ENTRY
#undef MODULE
#define MODULE broadcastsender
#include MODULE_ENTRY
#undef MODULE
#define MODULE broadcastworklet
#include MODULE_ENTRY
#undef MODULE
#define MODULE captureclock
#include MODULE_ENTRY
#undef MODULE
#define MODULE channels
#include MODULE_ENTRY
#undef MODULE
#define MODULE conversation
#include MODULE_ENTRY
#undef MODULE
#define MODULE countdown
#include MODULE_ENTRY
#undef MODULE
#define MODULE courts
#include MODULE_ENTRY
#undef MODULE
#define MODULE crop
#include MODULE_ENTRY
#undef MODULE
#define MODULE dashboard
#include MODULE_ENTRY
#undef MODULE
#define MODULE dialog
#include MODULE_ENTRY
#undef MODULE
#define MODULE dom
#include MODULE_ENTRY
#undef MODULE
#define MODULE drafts
#include MODULE_ENTRY
#undef MODULE
#define MODULE drawing
#include MODULE_ENTRY
#undef MODULE
#define MODULE emoji
#include MODULE_ENTRY
#undef MODULE
#define MODULE forum
#include MODULE_ENTRY
#undef MODULE
#define MODULE forms
#include MODULE_ENTRY
#undef MODULE
#define MODULE jobs
#include MODULE_ENTRY
#undef MODULE
#define MODULE keptmatch
#include MODULE_ENTRY
#undef MODULE
#define MODULE lists
#include MODULE_ENTRY
#undef MODULE
#define MODULE main
#include MODULE_ENTRY
#undef MODULE
#define MODULE matchboard
#include MODULE_ENTRY
#undef MODULE
#define MODULE matchclock
#include MODULE_ENTRY
#undef MODULE
#define MODULE matchdelivery
#include MODULE_ENTRY
#undef MODULE
#define MODULE matchdraw
#include MODULE_ENTRY
#undef MODULE
#define MODULE matchform
#include MODULE_ENTRY
#undef MODULE
#define MODULE matchlog
#include MODULE_ENTRY
#undef MODULE
#define MODULE matchphases
#include MODULE_ENTRY
#undef MODULE
#define MODULE matchrefusals
#include MODULE_ENTRY
#undef MODULE
#define MODULE matchrules
#include MODULE_ENTRY
#undef MODULE
#define MODULE matchscore
#include MODULE_ENTRY
#undef MODULE
#define MODULE matchserve
#include MODULE_ENTRY
#undef MODULE
#define MODULE matchsetup
#include MODULE_ENTRY
#undef MODULE
#define MODULE matchstate
#include MODULE_ENTRY
#undef MODULE
#define MODULE matchstore
#include MODULE_ENTRY
#undef MODULE
#define MODULE memorystore
#include MODULE_ENTRY
#undef MODULE
#define MODULE newmatch
#include MODULE_ENTRY
#undef MODULE
#define MODULE overlay
#include MODULE_ENTRY
#undef MODULE
#define MODULE page
#include MODULE_ENTRY
#undef MODULE
#define MODULE passkeys
#include MODULE_ENTRY
#undef MODULE
#define MODULE picture
#include MODULE_ENTRY
#undef MODULE
#define MODULE place
#include MODULE_ENTRY
#undef MODULE
#define MODULE play
#include MODULE_ENTRY
#undef MODULE
#define MODULE playerimages
#include MODULE_ENTRY
#undef MODULE
#define MODULE progress
#include MODULE_ENTRY
#undef MODULE
#define MODULE push
#include MODULE_ENTRY
#undef MODULE
#define MODULE referee
#include MODULE_ENTRY
#undef MODULE
#define MODULE refereebeside
#include MODULE_ENTRY
#undef MODULE
#define MODULE refereeboard
#include MODULE_ENTRY
#undef MODULE
#define MODULE refereesound
#include MODULE_ENTRY
#undef MODULE
#define MODULE refereetouch
#include MODULE_ENTRY
#undef MODULE
#define MODULE results
#include MODULE_ENTRY
#undef MODULE
#define MODULE scores
#include MODULE_ENTRY
#undef MODULE
#define MODULE spoilers
#include MODULE_ENTRY
#undef MODULE
#define MODULE search
#include MODULE_ENTRY
#undef MODULE
#define MODULE share
#include MODULE_ENTRY
#undef MODULE
#define MODULE strategy
#include MODULE_ENTRY
#undef MODULE
#define MODULE strategydisplay
#include MODULE_ENTRY
#undef MODULE
#define MODULE strategypad
#include MODULE_ENTRY
#undef MODULE
#define MODULE strategystore
#include MODULE_ENTRY
#undef MODULE
#define MODULE strategysync
#include MODULE_ENTRY
#undef MODULE
#define MODULE tablet
#include MODULE_ENTRY
#undef MODULE
#define MODULE tabletcache
#include MODULE_ENTRY
#undef MODULE
#define MODULE tabletclock
#include MODULE_ENTRY
#undef MODULE
#define MODULE talkbadges
#include MODULE_ENTRY
#undef MODULE
#define MODULE theme
#include MODULE_ENTRY
#undef MODULE
#define MODULE times
#include MODULE_ENTRY
#undef MODULE
#define MODULE upload
#include MODULE_ENTRY
#undef MODULE
