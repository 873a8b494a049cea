#include "CEmbeddedFiles.h"

// `#embed` is C23; clang knows it from version 19 on, which Swift 6.2 has.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char channels_schema_json[] = {
#embed "../ServerSettings/Resources/channels.schema.json"
};
// One style sheet of the site's parts, in the order in which later ones may refine earlier ones.
static const unsigned char site_css[] = {
#embed "../WebSite/Resources/style/tokens.css"
    ,
#embed "../WebSite/Resources/style/base.css"
    ,
#embed "../WebSite/Resources/style/header.css"
    ,
#embed "../WebSite/Resources/style/controls.css"
    ,
#embed "../WebSite/Resources/style/cards.css"
    ,
#embed "../WebSite/Resources/style/live.css"
    ,
#embed "../WebSite/Resources/style/title.css"
    ,
#embed "../WebSite/Resources/style/broadcast.css"
    ,
#embed "../WebSite/Resources/style/dashboard.css"
    ,
#embed "../WebSite/Resources/style/drawings.css"
    ,
#embed "../WebSite/Resources/style/forum.css"
    ,
#embed "../WebSite/Resources/style/scoreboard.css"
    ,
#embed "../WebSite/Resources/style/players.css"
    ,
#embed "../WebSite/Resources/style/strategy.css"
    ,
#embed "../WebSite/Resources/style/messages.css"
    ,
#embed "../WebSite/Resources/style/results.css"
};
static const unsigned char icon_192_png[] = {
#embed "../WebSite/Resources/icons/icon-192.png"
};
static const unsigned char icon_512_png[] = {
#embed "../WebSite/Resources/icons/icon-512.png"
};
static const unsigned char icon_full_png[] = {
#embed "../WebSite/Resources/icons/icon-full-512.png"
};
static const unsigned char icon_touch_png[] = {
#embed "../WebSite/Resources/icons/icon-touch-180.png"
};
static const unsigned char flags_json[] = {
#embed "../WebSite/Resources/flags/flags.json"
};
static const unsigned char player_css[] = {
#embed "../WebSite/Resources/player/player.css"
};

#define FILE_OF(name) \
    AntenaEmbeddedFile antena_##name(void) { return (AntenaEmbeddedFile){ name, sizeof name }; }

FILE_OF(player_css)
FILE_OF(flags_json)
FILE_OF(icon_192_png)
FILE_OF(icon_512_png)
FILE_OF(icon_full_png)
FILE_OF(icon_touch_png)
FILE_OF(channels_schema_json)
FILE_OF(site_css)

// The texts of the site: each file of `texts` is a language, which nothing else has to name. The names are put together
// in two steps, so that TAG is replaced first.
#define STRING(text) #text
#define STRING_OF(text) STRING(text)
#define TEXTS_OF(tag) STRING_OF(../WebSite/Resources/texts/tag.json)
#define NAME(tag) texts_##tag
#define NAME_OF(tag) NAME(tag)
// The texts of a language that are others for people who are addressed formally.
#define FORMAL_TEXTS_OF(tag) STRING_OF(../WebSite/Resources/texts/tag-formal.json)
#define FORMAL_NAME(tag) formal_texts_##tag
#define FORMAL_NAME_OF(tag) FORMAL_NAME(tag)

#define LANGUAGE_ENTRY "LanguageBytes.h"
#include "Languages.h"
#undef LANGUAGE_ENTRY

static const AntenaEmbeddedLanguage languages[] = {
#define LANGUAGE_ENTRY "LanguageRow.h"
#include "Languages.h"
#undef LANGUAGE_ENTRY
};

size_t antena_language_count(void) { return sizeof languages / sizeof languages[0]; }

AntenaEmbeddedLanguage antena_language(size_t index) { return languages[index]; }

// The modules of the player and of the rest of the site.
#define MODULE_FILE_OF(name) STRING_OF(../WebSite/Resources/MODULE_FOLDER/name.js)
#define MODULE_BYTES(folder, name) module_##folder##_##name
#define MODULE_BYTES_IN(folder, name) MODULE_BYTES(folder, name)
#define MODULE_BYTES_OF(name) MODULE_BYTES_IN(MODULE_FOLDER, name)

#define MODULE_FOLDER player

#define MODULE_ENTRY "ModuleBytes.h"
#include "PlayerModules.h"
#undef MODULE_ENTRY

static const AntenaEmbeddedModule player_modules[] = {
#define MODULE_ENTRY "ModuleRow.h"
#include "PlayerModules.h"
#undef MODULE_ENTRY
};

size_t antena_player_module_count(void) { return sizeof player_modules / sizeof player_modules[0]; }

AntenaEmbeddedModule antena_player_module(size_t index) { return player_modules[index]; }
#undef MODULE_FOLDER

#define MODULE_FOLDER scripts
#define MODULE_ENTRY "ModuleBytes.h"
#include "SiteModules.h"
#undef MODULE_ENTRY

static const AntenaEmbeddedModule site_modules[] = {
#define MODULE_ENTRY "ModuleRow.h"
#include "SiteModules.h"
#undef MODULE_ENTRY
};

size_t antena_site_module_count(void) { return sizeof site_modules / sizeof site_modules[0]; }

AntenaEmbeddedModule antena_site_module(size_t index) { return site_modules[index]; }
#undef MODULE_FOLDER

// The rules by which matches are scored.
static const unsigned char match_rules_schema_json[] = {
#embed "../Scoreboard/Resources/match-rules.schema.json"
};
FILE_OF(match_rules_schema_json)

#undef MODULE_FILE_OF
#define MODULE_FILE_OF(name) STRING_OF(../Scoreboard/Resources/rules/name.json)
#define MODULE_FOLDER rules
#define MODULE_ENTRY "ModuleBytes.h"
#include "MatchRules.h"
#undef MODULE_ENTRY

static const AntenaEmbeddedModule match_rules[] = {
#define MODULE_ENTRY "ModuleRow.h"
#include "MatchRules.h"
#undef MODULE_ENTRY
};

size_t antena_match_rules_count(void) { return sizeof match_rules / sizeof match_rules[0]; }

AntenaEmbeddedModule antena_match_rules(size_t index) { return match_rules[index]; }
#undef MODULE_FOLDER
