import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import NIOCore
import Packaging

/// A text that never changes, compressed once for all who take that.
struct CompressedAsset: Sendable {
    /// Compresses on the first request, as it does for playlists.
    private let rendered: RenderedPlaylist
    private let type: String

    /// - Parameters:
    ///   - text: the text.
    ///   - type: its media type.
    init(_ text: String, _ type: String) {
        rendered = RenderedPlaylist { text }
        self.type = type
    }

    func response(to request: Request, cacheControl: String) -> Response {
        var headers: HTTPFields = [
            .contentType: type, .cacheControl: cacheControl, .vary: "Accept-Encoding",
        ]
        guard AcceptedCodings.includeGzip(request.headers[.acceptEncoding]), let gzipped = rendered.gzipped else {
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: rendered.plain))
        }
        headers[.contentEncoding] = "gzip"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: gzipped))
    }
}
