#pragma once

// Large files of the resources of other targets, as part of the program. SwiftPM's own way makes a Swift array with an
// element for each byte, which takes the compiler 20 s for the description of the API, and 50 s when it optimizes.

#include <stddef.h>

/// The bytes of a file.
typedef struct {
    const unsigned char *_Nonnull bytes;
    size_t count;
} AntenaEmbeddedFile;

/// Sources/OperatorAPI/Resources/openapi.json
AntenaEmbeddedFile antena_openapi_json(void);
/// Sources/ServerSettings/Resources/channels.schema.json
AntenaEmbeddedFile antena_channels_schema_json(void);
/// Sources/WebSite/Resources/antena.css
AntenaEmbeddedFile antena_site_css(void);
/// Sources/WebSite/Resources/antena.js
AntenaEmbeddedFile antena_site_js(void);
