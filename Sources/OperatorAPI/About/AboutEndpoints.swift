import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import NIOCore

/// The endpoints of `/api/v1/` for the program itself: its numbers, its presets and its description.
struct AboutEndpoints: Sendable {
    let content: any ContentSource
    let presets: @Sendable () -> [QualityPreset]
    let rtspPort: @Sendable () -> Int

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/api/v1/presets", .needs(.read, .site)) { _, _ in
                APIResources.page(presets().map(APIResources.preset)).response()
            },
            Endpoint(.get, "/api/v1/library/misplaced", .needs(.read, .library)) { _, _ in
                APIResources.page(await content.library.misplacedFiles().map(APIResources.misplaced)).response()
            },
            Endpoint(.get, "/api/v1/about", .needs(.read, .site)) { _, context in
                APIResources.about(try await AboutNumbers(of: content, context), rtspPort: rtspPort()).response()
            },
            Endpoint(.get, "/api/v1/openapi.json", .open(reason: "the description is the same for everybody")) { _, _ in
                Response(
                    status: .ok,
                    headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "max-age=300"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: OpenAPIDocument.text)))
            },
        ]
    }
}
