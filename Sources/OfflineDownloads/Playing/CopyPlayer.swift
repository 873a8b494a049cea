import Foundation
import HTTPTypes
import Hummingbird
import Logging
import MediaCore
import NIOCore
import OfflineCopyFormat

/// Serves a downloaded copy as HLS on this machine, at an address that nobody can guess, while the rental lasts.
struct CopyPlayer: Sendable {
    let reader: CopyReader
    let record: CopyRecord
    /// Whether the rental still lasts.
    let isOver: @Sendable () throws -> Bool
    /// Called with what is wrong with the copy, once for each request that finds it.
    let onProblem: @Sendable (DownloadError) -> Void

    /// Size of a piece of an answer.
    private static let pieceByteCount: Int64 = 256 << 10

    /// Serves until the task is cancelled.
    ///
    /// - Parameter onStart: called with the address of the playlist.
    func run(onStart: @escaping @Sendable (String) async -> Void) async throws {
        let secret = (0..<16).map { _ in UInt8.random(in: 0...255) }.hexadecimalDigits
        let router = Router()
        router.get("/\(secret)/**") { _, context in
            try await answer(context.parameters.getCatchAll().joined(separator: "/"))
        }
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0), serverName: nil),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? 0
                await onStart("http://127.0.0.1:\(port)/\(secret)/\(CopyIndex.entryPath)")
            },
            logger: Logger(label: "antena.player") { _ in SwiftLogNoOpLogHandler() })
        try await application.run()
    }

    /// The answer to a request for a file of the copy.
    func answer(_ path: String) async throws -> Response {
        guard try !isOver() else {
            return Self.text(.gone, "the rental of \(record.name) has ended")
        }
        guard let range = await reader.range(of: path) else { return Self.text(.notFound, "there is no such file") }
        let first = range.lowerBound..<min(range.upperBound, range.lowerBound + Self.pieceByteCount)
        do {
            let piece = try await reader.read(first)
            let body = ResponseBody(contentLength: range.count) { writer in
                try await writer.write(ByteBuffer(bytes: piece))
                var position = first.upperBound
                while position < range.upperBound {
                    let end = min(range.upperBound, position + Self.pieceByteCount)
                    do {
                        try await writer.write(ByteBuffer(bytes: try await reader.read(position..<end)))
                    } catch let error as DownloadError {
                        onProblem(error)
                        throw error
                    }
                    position = end
                }
                try await writer.finish(nil)
            }
            return Response(
                status: .ok, headers: [.contentType: Self.contentType(of: path), .cacheControl: "no-store"], body: body)
        } catch let error as DownloadError {
            onProblem(error)
            return Self.text(.internalServerError, error.description)
        }
    }

    private static func text(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }

    private static func contentType(of path: String) -> String {
        switch path.split(separator: ".").last {
        case "m3u8": "application/vnd.apple.mpegurl"
        case "vtt": "text/vtt; charset=utf-8"
        default: "video/mp4"
        }
    }
}
