import APIContract

/// The OpenAPI description at `/api/v1/openapi.json`; a test compares its paths with the router's.
enum OpenAPIDocument {
    /// `Resources/openapi.json` with the program's version.
    static let text: String = {
        let file = PackageResources.openapi_json
        let text = String(decoding: file.last == UInt8(ascii: "\n") ? file.dropLast() : file[...], as: UTF8.self)
        return text.replacing("{{version}}", with: Product.version, maxReplacements: 1)
    }()
}
