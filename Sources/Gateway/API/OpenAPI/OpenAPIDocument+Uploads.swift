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
            "summary": "Begin an upload (tus 1.0); from loopback only",
            "parameters": [
              {"$ref": "#/components/parameters/tusResumable"},
              {
                "name": "Upload-Length",
                "in": "header",
                "required": true,
                "description": "bytes of the whole file",
                "schema": {"type": "integer"}
              },
              {
                "name": "Upload-Metadata",
                "in": "header",
                "required": true,
                "description": "filename, in base64: a name with the ending of a medium",
                "schema": {"type": "string"}
              },
              {
                "name": "Upload-Checksum",
                "in": "header",
                "required": false,
                "description": "of the body: sha1, sha256 or md5, and the digest in base64",
                "schema": {"type": "string"}
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
            "summary": "Send more of it",
            "parameters": [
              {"$ref": "#/components/parameters/id"},
              {"$ref": "#/components/parameters/tusResumable"},
              {
                "name": "Upload-Offset",
                "in": "header",
                "required": true,
                "description": "where the bytes belong: what HEAD says",
                "schema": {"type": "integer"}
              },
              {
                "name": "Upload-Checksum",
                "in": "header",
                "required": false,
                "description": "of these bytes",
                "schema": {"type": "string"}
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
            "summary": "Give it up",
            "parameters": [{"$ref": "#/components/parameters/id"}, {"$ref": "#/components/parameters/tusResumable"}],
            "responses": {
              "204": {"description": "Its bytes are deleted"},
              "default": {"$ref": "#/components/responses/Problem"}
            }
          },
          "post": {
            "summary": "PATCH, DELETE or HEAD, as X-HTTP-Method-Override says",
            "parameters": [
              {"$ref": "#/components/parameters/id"},
              {"$ref": "#/components/parameters/tusResumable"},
              {
                "name": "X-HTTP-Method-Override",
                "in": "header",
                "required": true,
                "description": "PATCH, DELETE or HEAD",
                "schema": {"type": "string"}
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
