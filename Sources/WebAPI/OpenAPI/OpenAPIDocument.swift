import HTTPEndpoints
import APIContract
import CEmbeddedFiles
import Workflows

/// The OpenAPI description at `/api/v1/openapi.json`; a test compares its paths with the router's.
enum OpenAPIDocument {
    /// `Resources/openapi.json` with the program's version.
    static let text: String = {
        let text = EmbeddedText.text(antena_openapi_json().content)
        return text.replacing("{{version}}", with: Product.version, maxReplacements: 1)
    }()
}
