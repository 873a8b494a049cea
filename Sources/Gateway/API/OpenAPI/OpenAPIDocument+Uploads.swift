extension OpenAPIDocument {
    /// Members of `paths`.
    static let uploads = #"""
        "/api/v1/uploads": {
          "options": {
            "summary": "What of tus 1.0 the server speaks",
            "responses": {
              "204": {"description": "Tus-Version, Tus-Extension, Tus-Max-Size and Tus-Checksum-Algorithm"},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "post": {
            "security": [{"operatorToken": []}],
            "summary": "Begin an upload (tus 1.0)",
            "parameters": [
              {"$ref": "#/components/parameters/tusResumable"},
              {
                "name": "Upload-Length",
                "in": "header",
                "required": true,
                "description": "bytes of the whole file",
                "schema": {"type": "integer", "minimum": 1, "maximum": 274877906944}
              },
              {
                "name": "Upload-Metadata",
                "in": "header",
                "required": true,
                "description": "filename, in base64: a name with the ending of a medium",
                "schema": {"type": "string", "pattern": "^filename ([A-Za-z0-9+/]{4})+$", "maxLength": 4096}
              },
              {
                "name": "Upload-Checksum",
                "in": "header",
                "required": false,
                "description": "of the body: sha1, sha256 or md5, and the digest in base64",
                "schema": {"type": "string", "pattern": "^(sha1|sha256|md5) ([A-Za-z0-9+/]{4})+$"}
              }
            ],
            "responses": {
              "201": {
                "description": "Location is the upload's address; with a body of application/offset+octet-stream, Upload-Offset says how much of it is there"
              },
              "413": {"description": "Larger than Tus-Max-Size"},
              "429": {"description": "Too many are not finished"},
              "507": {"description": "The disk has not enough room"},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        },
        "/api/v1/uploads/{id}": {
          "options": {
            "summary": "What of tus 1.0 the server speaks",
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "responses": {
              "204": {"description": "Tus-Version, Tus-Extension, Tus-Max-Size and Tus-Checksum-Algorithm"},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "head": {
            "security": [{"operatorToken": []}],
            "summary": "How much of it is there",
            "parameters": [{"$ref": "#/components/parameters/id"}, {"$ref": "#/components/parameters/tusResumable"}],
            "responses": {
              "200": {
                "description": "Upload-Offset, Upload-Length, Upload-Expires; Content-Location once it is a title or track"
              },
              "404": {"description": "Not known, or given up"},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "patch": {
            "security": [{"operatorToken": []}],
            "summary": "Send more of it",
            "parameters": [
              {"$ref": "#/components/parameters/id"},
              {"$ref": "#/components/parameters/tusResumable"},
              {
                "name": "Upload-Offset",
                "in": "header",
                "required": true,
                "description": "where the bytes belong: what HEAD says",
                "schema": {"type": "integer", "minimum": 0, "maximum": 274877906944}
              },
              {
                "name": "Upload-Checksum",
                "in": "header",
                "required": false,
                "description": "of these bytes",
                "schema": {"type": "string", "pattern": "^(sha1|sha256|md5) ([A-Za-z0-9+/]{4})+$"}
              }
            ],
            "requestBody": {
              "required": true,
              "content": {"application/offset+octet-stream": {"schema": {"type": "string", "format": "binary"}}}
            },
            "responses": {
              "204": {
                "description": "Upload-Offset says how much is there; Content-Location names the title or track once it is all"
              },
              "409": {"description": "Upload-Offset is another"},
              "423": {"description": "Another connection is sending"},
              "460": {"description": "Upload-Checksum is another: none of these bytes are kept"},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "delete": {
            "security": [{"operatorToken": []}],
            "summary": "Give it up",
            "parameters": [{"$ref": "#/components/parameters/id"}, {"$ref": "#/components/parameters/tusResumable"}],
            "responses": {
              "204": {"description": "Its bytes are deleted"},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "post": {
            "security": [{"operatorToken": []}],
            "summary": "PATCH, DELETE or HEAD, as X-HTTP-Method-Override says",
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
              "204": {"description": "As for that method"},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          }
        }
        """#
}
