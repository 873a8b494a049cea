import ChannelPublishing
import MediaCore
import NIOCore

/// Feeds the segments of one playlist, a fifth of a second after the other.
struct SegmentReader {
    /// Media that is fed at once.
    private static let stepSeconds = 0.2

    private let feed: NIOLoopBound<SegmentFeed>
    private let loop: any EventLoop

    init(_ feed: NIOLoopBound<SegmentFeed>, on loop: any EventLoop) { (self.feed, self.loop) = (feed, loop) }

    /// Feeds a segment, in about the time that it lasts.
    ///
    /// - Parameters:
    ///   - bytes: the segment.
    ///   - initialization: the section before it; `nil` for a transport stream.
    ///   - duration: its duration in seconds.
    /// - Throws: `RelayFailure`
    func take(_ bytes: ByteBuffer, behind initialization: ByteBuffer?, _ duration: Double) async throws {
        let steps = max(1, Int((min(max(duration, 0), 60) / Self.stepSeconds).rounded()))
        if let initialization {
            try await take(fragments: bytes, behind: initialization, steps)
        } else {
            try await take(stream: bytes, steps)
        }
    }

    /// The pause between two steps. It is a little shorter than their media, so that the feed does not fall behind.
    private static var pause: Duration { .milliseconds(Int64(stepSeconds * 950)) }

    private func take(stream bytes: ByteBuffer, _ steps: Int) async throws {
        var bytes = bytes
        let size = max(1, bytes.readableBytes / steps + 1)
        while let piece = bytes.readSlice(length: min(size, bytes.readableBytes)), piece.readableBytes > 0 {
            try await onLoop { try $0.take(stream: piece) }
            if bytes.readableBytes > 0 { try await Task.sleep(for: Self.pause) }
        }
    }

    private func take(fragments bytes: ByteBuffer, behind initialization: ByteBuffer, _ steps: Int) async throws {
        let segment: FragmentedSegment
        do {
            segment = try FragmentedSegment(initialization, bytes)
        } catch {
            throw RelayFailure("a segment cannot be read: \(error)")
        }
        let tracks = segment.tracks
        try await onLoop { $0.note(tracks, isOnly: tracks.count > 1) }
        for step in 0..<steps {
            try await onLoop { feed in
                for track in tracks {
                    let (from, to) = (track.units.count * step / steps, track.units.count * (step + 1) / steps)
                    for unit in track.units[from..<to] { try feed.take(unit, of: track.mediaType) }
                }
                feed.unitsArrived()
            }
            if step + 1 < steps { try await Task.sleep(for: Self.pause) }
        }
    }

    private func onLoop(_ body: @escaping @Sendable (SegmentFeed) throws -> Void) async throws {
        let feed = feed
        do {
            try await loop.submit { try body(feed.value) }.get()
        } catch {
            throw RelayFailure((error as? PushRefusal)?.reason ?? "\(error)")
        }
    }
}
