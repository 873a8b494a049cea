extension OpenAPIDocument {
    /// The members of `paths` for resumable uploads.
    static let uploads = #"""
        "/api/v1/uploads": {
          "options": {
            "summary": "Supported version, extensions and limits of tus 1.0",
            "responses": {
              "204": {"description": "Tus-Version, Tus-Extension, Tus-Max-Size and Tus-Checksum-Algorithm"},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "post": {
            "security": [{"operatorToken": []}],
            "summary": "Start an upload (tus 1.0)",
            "parameters": [
              {"$ref": "#/components/parameters/tusResumable"},
              {
                "name": "Upload-Length",
                "in": "header",
                "required": true,
                "description": "size of the whole file in bytes",
                "schema": {"type": "integer", "minimum": 1, "maximum": 274877906944}
              },
              {
                "name": "Upload-Metadata",
                "in": "header",
                "required": true,
                "description": "filename, in base64: a name with the extension of a media file",
                "schema": {"type": "string", "pattern": "^filename ([A-Za-z0-9+/]{4})+$", "maxLength": 4096}
              },
              {
                "name": "Upload-Checksum",
                "in": "header",
                "required": false,
                "description": "checksum of the body: sha1, sha256 or md5, and the digest in base64",
                "schema": {"type": "string", "pattern": "^(sha1|sha256|md5) ([A-Za-z0-9+/]{4})+$"}
              }
            ],
            "responses": {
              "201": {
                "description": "Location is the URL of the upload; if the body is application/offset+octet-stream, Upload-Offset is the number of bytes received"
              },
              "413": {"description": "Larger than Tus-Max-Size"},
              "429": {"description": "Too many unfinished uploads"},
              "507": {"description": "Not enough disk space"},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/api/v1/uploads/{id}": {
          "options": {
            "summary": "Supported version, extensions and limits of tus 1.0",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "responses": {
              "204": {"description": "Tus-Version, Tus-Extension, Tus-Max-Size and Tus-Checksum-Algorithm"},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "head": {
            "security": [{"operatorToken": []}],
            "summary": "Number of bytes received so far",
            "parameters": [{"$ref": "#/components/parameters/id"}, {"$ref": "#/components/parameters/tusResumable"}],
            "responses": {
              "200": {
                "description": "Upload-Offset, Upload-Length, Upload-Expires; Content-Location once it is a title or track"
              },
              "404": {"description": "Unknown or expired"},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "patch": {
            "security": [{"operatorToken": []}],
            "summary": "Send more bytes",
            "parameters": [
              {"$ref": "#/components/parameters/id"},
              {"$ref": "#/components/parameters/tusResumable"},
              {
                "name": "Upload-Offset",
                "in": "header",
                "required": true,
                "description": "offset of these bytes, as HEAD reports it",
                "schema": {"type": "integer", "minimum": 0, "maximum": 274877906944}
              },
              {
                "name": "Upload-Checksum",
                "in": "header",
                "required": false,
                "description": "checksum of these bytes",
                "schema": {"type": "string", "pattern": "^(sha1|sha256|md5) ([A-Za-z0-9+/]{4})+$"}
              }
            ],
            "requestBody": {
              "required": true,
              "content": {"application/offset+octet-stream": {"schema": {"type": "string", "format": "binary"}}}
            },
            "responses": {
              "204": {
                "description": "Upload-Offset is the number of bytes received; Content-Location names the title or track once the upload is complete"
              },
              "409": {"description": "Upload-Offset does not match"},
              "423": {"description": "Another connection is sending"},
              "460": {"description": "Upload-Checksum does not match; these bytes are discarded"},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "delete": {
            "security": [{"operatorToken": []}],
            "summary": "Cancel the upload",
            "parameters": [{"$ref": "#/components/parameters/id"}, {"$ref": "#/components/parameters/tusResumable"}],
            "responses": {
              "204": {"description": "The upload's bytes are deleted"},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "post": {
            "security": [{"operatorToken": []}],
            "summary": "PATCH, DELETE or HEAD, selected by X-HTTP-Method-Override",
            "parameters": [
              {"$ref": "#/components/parameters/id"},
              {"$ref": "#/components/parameters/tusResumable"},
              {
                "name": "X-HTTP-Method-Override",
                "in": "header",
                "required": true,
                "schema": {"type": "string", "enum": ["PATCH", "DELETE", "HEAD"]}
              }
            ],
            "responses": {
              "204": {"description": "The response of the selected method"},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        }
        """#
}
