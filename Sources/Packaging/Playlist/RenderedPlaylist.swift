import CAntenaSystem
package import NIOCore
import Synchronization

/// One revision of a playlist as bytes: rendered once and compressed once, on the first request, and shared by all.
package final class RenderedPlaylist: Sendable {
    private let cache: Mutex<Cache>

    private struct Cache {
        /// The renderer, which is released after its call because it holds the window that the playlist shows.
        var render: (@Sendable () -> String)?
        var plain: ByteBuffer?
        var gzipped: ByteBuffer?
    }

    /// The zlib level for small playlists, which are fetched often: level 6 is within 2 % of the best and three times
    /// as fast.
    private static let compressionLevel: Int32 = 6
    /// The zlib level for hours of segments: the fastest one takes a third of the time for a tenth more bytes, and an
    /// event loop waits.
    private static let largeCompressionLevel: Int32 = 1
    private static let largeByteCount = 128 << 10

    /// Creates a revision.
    ///
    /// - Parameter render: Renders the playlist; called at most once, on the thread of the first request.
    package init(_ render: @escaping @Sendable () -> String) { cache = Mutex(Cache(render: render)) }

    /// The playlist in UTF-8.
    package var plain: ByteBuffer { cache.withLock { plain(in: &$0) } }

    /// The playlist as a gzip member (RFC 1952); `nil` if compression fails, which happens only when memory runs out.
    package var gzipped: ByteBuffer? {
        cache.withLock { cache in
            if let gzipped = cache.gzipped { return gzipped }
            let gzipped = Self.gzip(plain(in: &cache))
            cache.gzipped = gzipped
            return gzipped
        }
    }

    private func plain(in cache: inout Cache) -> ByteBuffer {
        if let plain = cache.plain { return plain }
        let plain = ByteBuffer(string: cache.render?() ?? "")
        cache.plain = plain
        cache.render = nil
        return plain
    }

    private static func gzip(_ plain: ByteBuffer) -> ByteBuffer? {
        let capacity = antena_gzip_bound(plain.readableBytes)
        var result = ByteBuffer()
        let written = plain.withUnsafeReadableBytes { input in
            result.writeWithUnsafeMutableBytes(minimumWritableBytes: capacity) { output in
                guard let source = input.bindMemory(to: UInt8.self).baseAddress,
                    let target = output.bindMemory(to: UInt8.self).baseAddress
                else { return 0 }
                return antena_gzip(
                    source, input.count, target, output.count,
                    input.count > largeByteCount ? largeCompressionLevel : compressionLevel)
            }
        }
        return written > 0 ? result : nil
    }
}
