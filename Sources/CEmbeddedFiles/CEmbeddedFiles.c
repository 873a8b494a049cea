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
#embed "../WebSite/Resources/style/dashboard.css"
    ,
#embed "../WebSite/Resources/style/drawings.css"
};
static const unsigned char site_js[] = {
#embed "../WebSite/Resources/antena.js"
};
static const unsigned char player_css[] = {
#embed "../WebSite/Resources/player/player.css"
};

#define FILE_OF(name) \
    AntenaEmbeddedFile antena_##name(void) { return (AntenaEmbeddedFile){ name, sizeof name }; }

FILE_OF(player_css)
FILE_OF(channels_schema_json)
FILE_OF(site_css)
FILE_OF(site_js)

// The texts of the site: each file of `texts` is a language, which nothing else has to name. The names are put together
// in two steps, so that TAG is replaced first.
#define STRING(text) #text
#define STRING_OF(text) STRING(text)
#define TEXTS_OF(tag) STRING_OF(../WebSite/Resources/texts/tag.json)
#define NAME(tag) texts_##tag
#define NAME_OF(tag) NAME(tag)

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

// The modules of the player.
#define MODULE_FILE_OF(name) STRING_OF(../WebSite/Resources/player/name.js)
#define MODULE_BYTES(name) module_##name
#define MODULE_BYTES_OF(name) MODULE_BYTES(name)

#define MODULE_ENTRY "PlayerModuleBytes.h"
#include "PlayerModules.h"
#undef MODULE_ENTRY

static const AntenaEmbeddedModule modules[] = {
#define MODULE_ENTRY "PlayerModuleRow.h"
#include "PlayerModules.h"
#undef MODULE_ENTRY
};

size_t antena_player_module_count(void) { return sizeof modules / sizeof modules[0]; }

AntenaEmbeddedModule antena_player_module(size_t index) { return modules[index]; }
