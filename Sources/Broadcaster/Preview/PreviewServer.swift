package import Capture
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A web page that shows what is being sent, for a browser on this machine.
package final class PreviewServer: Sendable {
    private let newest = Mutex(Newest())

    private struct Newest {
        var image: [UInt8]?
        var status = ""
    }

    /// The address to listen at.
    package let host: String
    /// The port to listen at; 0 for any free one.
    package let port: Int

    /// Creates a server, which starts with ``run(onReady:)``.
    ///
    /// - Parameter address: An address such as `http://127.0.0.1:8090`.
    package init(address: String) throws(BroadcastError) {
        guard let url = URL(string: address), url.scheme == "http", let host = url.host(),
            let port = url.port, (0...65_535).contains(port)
        else {
            throw BroadcastError(
                .usage, "\"\(address)\" is not an address for the preview; write it like http://127.0.0.1:8090")
        }
        self.host = host
        self.port = port
    }

    /// Replaces the image that the page shows.
    package func show(_ image: PreviewImage) { newest.withLock { $0.image = image.bytes } }
    /// Replaces the status that the page shows.
    package func show(_ status: BroadcastStatus) { newest.withLock { $0.status = StatusJSON.line(status) } }

    /// Serves the page until its task is cancelled.
    ///
    /// - Parameter onReady: Gets the page's address.
    package func run(onReady: @escaping @Sendable (String) -> Void) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
                    try pipeline.addHandler(IdleStateHandler(readTimeout: TimeAmount(Self.idleTimeout)))
                    try pipeline.addHandler(PreviewRequestHandler(server: self))
                }
            }
            .bind(host: host, port: port).get()
        onReady("http://\(host):\(channel.localAddress?.port ?? 0)/")
        await withTaskCancellationHandler {
            try? await channel.closeFuture.get()
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    private static let idleTimeout = Duration.seconds(30)

    /// Returns the content at a path.
    ///
    /// - Returns: `nil` if there is nothing at that path.
    func content(at path: String) -> (type: String, body: ByteBuffer)? {
        switch path {
        case "/": return ("text/html; charset=utf-8", ByteBuffer(string: Self.page))
        case "/preview.jpg": return newest.withLock { $0.image }.map { ("image/jpeg", ByteBuffer(bytes: $0)) }
        case "/status.json": return ("application/json", ByteBuffer(string: newest.withLock { $0.status }))
        default: return nil
        }
    }

    private static let page = """
        <!doctype html>
        <html lang="en"><meta charset="utf-8"><title>Antena broadcast</title>
        <style>
        body { margin: 0; background: #111; color: #eee; font: 16px/1.5 system-ui, sans-serif; text-align: center }
        img { max-width: 100vw; max-height: 85vh; background: #000 }
        </style>
        <img id="image" alt="what is being sent"><p id="status">…</p>
        <script>
        const image = document.getElementById('image'), status = document.getElementById('status');
        const next = delay => setTimeout(() => { image.src = '/preview.jpg?' + Date.now() }, delay);
        image.onload = () => next(200);
        image.onerror = () => next(1000);
        next(0);
        setInterval(async () => {
          try {
            const s = await (await fetch('/status.json')).json();
            status.textContent = `${s.state}  ${s.framesSent} frames, ${s.framesDropped} dropped  `
              + `${(s.bitrate / 1e6).toFixed(2)} Mbit/s` + (s.problem ? `  ${s.problem}` : '');
          } catch { status.textContent = 'the broadcast has ended'; }
        }, 1000);
        </script>
        """
}
