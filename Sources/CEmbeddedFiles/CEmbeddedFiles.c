#include "CEmbeddedFiles.h"

// `#embed` is C23; clang knows it from version 19 on, which Swift 6.2 has.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openapi_json[] = {
#embed "../OperatorAPI/Resources/openapi.json"
};
static const unsigned char channels_schema_json[] = {
#embed "../ServerSettings/Resources/channels.schema.json"
};
static const unsigned char site_css[] = {
#embed "../WebSite/Resources/antena.css"
};
static const unsigned char site_js[] = {
#embed "../WebSite/Resources/antena.js"
};

#define FILE_OF(name) \
    AntenaEmbeddedFile antena_##name(void) { return (AntenaEmbeddedFile){ name, sizeof name }; }

FILE_OF(openapi_json)
FILE_OF(channels_schema_json)
FILE_OF(site_css)
FILE_OF(site_js)
