import Accounts
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
package import MediaCore
import NIOCore
package import Workflows

/// The endpoints of `/api/v1/` for the program itself: its numbers, its presets and its description.
package struct AboutEndpoints: Sendable {
    private let content: any ContentSource
    private let presets: @Sendable () -> [QualityPreset]
    private let rtspPort: @Sendable () -> Int

    /// The OpenAPI description of the API, in JSON.
    package static var apiDescription: String { OpenAPIDocument.text }

    /// - Parameters:
    ///   - content: what is counted.
    ///   - presets: the presets of the current configuration, evaluated for each request.
    ///   - rtspPort: the port of the RTSP listener.
    package init(
        content: any ContentSource, presets: @escaping @Sendable () -> [QualityPreset],
        rtspPort: @escaping @Sendable () -> Int
    ) {
        (self.content, self.presets, self.rtspPort) = (content, presets, rtspPort)
    }

    package var endpoints: [Endpoint] {
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
