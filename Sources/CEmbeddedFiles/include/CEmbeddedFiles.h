#pragma once

// Large files of the resources of other targets, as part of the program. SwiftPM's own way makes a Swift array with an
// element for each byte, which takes the compiler 20 s for the description of the API, and 50 s when it optimizes.

#include <stddef.h>

/// The bytes of a file.
typedef struct {
    const unsigned char *_Nonnull bytes;
    size_t count;
} AntenaEmbeddedFile;

/// Sources/ServerSettings/Resources/channels.schema.json
AntenaEmbeddedFile antena_channels_schema_json(void);
/// The files of Sources/WebSite/Resources/style as one.
AntenaEmbeddedFile antena_site_css(void);
/// The files of Sources/WebSite/Resources/icons; "full" has no margin and no round corners.
AntenaEmbeddedFile antena_icon_192_png(void);
AntenaEmbeddedFile antena_icon_512_png(void);
AntenaEmbeddedFile antena_icon_full_png(void);
AntenaEmbeddedFile antena_icon_touch_png(void);
/// Sources/WebSite/Resources/flags/flags.json
AntenaEmbeddedFile antena_flags_json(void);
/// Sources/WebSite/Resources/player/player.css
AntenaEmbeddedFile antena_player_css(void);

/// A file with a name, such as a module of the site's scripts.
typedef struct {
    /// The name of the file without its ending.
    const char *_Nonnull name;
    AntenaEmbeddedFile file;
} AntenaEmbeddedModule;

/// The number of modules in Sources/WebSite/Resources/player.
size_t antena_player_module_count(void);
/// A module of Sources/WebSite/Resources/player; the index is less than the count.
AntenaEmbeddedModule antena_player_module(size_t index);

/// The number of modules in Sources/WebSite/Resources/scripts.
size_t antena_site_module_count(void);
/// A module of Sources/WebSite/Resources/scripts; the index is less than the count.
AntenaEmbeddedModule antena_site_module(size_t index);

/// Sources/Scoreboard/Resources/match-rules.schema.json
AntenaEmbeddedFile antena_match_rules_schema_json(void);
/// The number of files in Sources/Scoreboard/Resources/rules.
size_t antena_match_rules_count(void);
/// A file of Sources/Scoreboard/Resources/rules; the index is less than the count.
AntenaEmbeddedModule antena_match_rules(size_t index);

/// The texts of the site in one language.
typedef struct {
    /// The tag of the language (BCP 47), which is the name of the file; with "-formal" behind it for the file of the
    /// texts that are others for people who are addressed formally.
    const char *_Nonnull tag;
    AntenaEmbeddedFile file;
} AntenaEmbeddedLanguage;

/// The number of files in Sources/WebSite/Resources/texts. A file that is added is found when CEmbeddedFiles.c is
/// compiled again; `make` sees to it.
size_t antena_language_count(void);
/// A file of Sources/WebSite/Resources/texts; the index is less than the count.
AntenaEmbeddedLanguage antena_language(size_t index);
