import ChannelPublishing
import Codecs
import Foundation
import HLSPlaylist
import LiveChannels
import MediaCore
import NIOCore

/// Fetches a channel that somebody else publishes by HLS: the best variant, and its audio if that has a playlist of its
/// own. Segments are fed to the channel at the pace at which they are played, because they come all at once.
struct HLSPull: RelayTransport {
    /// Limits of files: a segment of 10 s at 25 Mbit/s, and more lines than any live playlist has.
    private static let maximumSegmentByteCount = 32 << 20
    private static let maximumPlaylistByteCount = 1 << 20
    /// The segments from the live edge with which it begins.
    private static let startingSegmentCount = 3
    /// Playlists without a new segment after which the stream counts as gone.
    private static let patience = 12

    let address: RelayAddress
    let channel: LiveChannel
    let eventLoopGroup: any EventLoopGroup
    let fetching: any RelayFetching

    func run(_ progress: RelayProgress) async throws {
        let loop = eventLoopGroup.next()
        let playlists = try await playlists()
        let ended = loop.makePromise(of: Void.self)
        let publisher = Publisher(
            remoteAddress: address.endpoint, userAgent: nil, transport: "HLS", presetName: nil)
        let channel = channel
        let feed = try await loop.submit {
            NIOLoopBound(
                SegmentFeed(
                    GatheredPush(to: channel, by: publisher, on: loop) { ended.fail(RelayFailure($0)) }, on: loop,
                    expecting: playlists.count), eventLoop: loop)
        }.get()
        let outcome: Result<Void, any Error>
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await withTaskCancellationHandler {
                        try await ended.futureResult.get()
                    } onCancel: {
                        ended.fail(CancellationError())
                    }
                }
                for playlist in playlists {
                    group.addTask { try await follow(playlist, feed, on: loop, progress) }
                }
                try await group.next()
                group.cancelAll()
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        ended.fail(CancellationError())
        let isStopped = Task.isCancelled
        try? await loop.submit {
            feed.value.end(isStopped ? "stopped" : "the stream has ended", isIntended: isStopped)
        }.get()
        switch outcome {
        case .success: throw RelayFailure("the stream has ended")
        case .failure(let failure as RelayFailure): throw failure
        case .failure(let error): throw RelayFailure("\(error)")
        }
    }

    // MARK: Playlists

    private func fetch(_ url: String, _ limit: Int) async throws(RelayFailure) -> ByteBuffer {
        do {
            return try await fetching.fetch(
                url, username: address.username, password: address.password, maximumByteCount: limit)
        } catch {
            throw RelayFailure("a file of the stream cannot be fetched: \(error)")
        }
    }

    private func text(_ url: String) async throws(RelayFailure) -> String {
        String(buffer: try await fetch(url, Self.maximumPlaylistByteCount))
    }

    /// The media playlists to follow.
    private func playlists() async throws -> [String] {
        let start = address.url
        let text = try await text(start)
        guard text.contains("#EXT-X-STREAM-INF") else { return [start] }
        let main: MultivariantPlaylist
        do {
            main = try MultivariantPlaylist(parsing: text)
        } catch {
            throw RelayFailure("the playlist cannot be read: \(error)")
        }
        guard let best = main.variants.max(by: { $0.bandwidth < $1.bandwidth }) else {
            throw RelayFailure("the playlist has no variant")
        }
        let audio = main.renditions.filter { $0.type == .audio && $0.groupID == best.audioGroupID }
        let chosen = audio.first { $0.isDefault } ?? audio.first
        return [Self.resolve(best.uri, start)] + (chosen?.uri.map { [Self.resolve($0, start)] } ?? [])
    }

    private static func resolve(_ uri: String, _ base: String) -> String {
        URL(string: uri, relativeTo: URL(string: base))?.absoluteString ?? uri
    }

    /// Follows a media playlist until it ends.
    private func follow(
        _ url: String, _ feed: NIOLoopBound<SegmentFeed>, on loop: any EventLoop, _ progress: RelayProgress
    ) async throws {
        let reader = SegmentReader(feed, on: loop)
        var (next, idleCount) = (Int?.none, 0)
        var initialization: (uri: String, bytes: ByteBuffer)?
        while !Task.isCancelled {
            let playlist: MediaPlaylist
            do {
                playlist = try MediaPlaylist(parsing: try await text(url))
            } catch let failure as RelayFailure {
                throw failure
            } catch {
                throw RelayFailure("the playlist cannot be read: \(error)")
            }
            guard playlist.encryption == nil else { throw RelayFailure("the stream is encrypted") }
            let end = playlist.mediaSequence + playlist.segments.count
            var first = next ?? max(playlist.mediaSequence, end - Self.startingSegmentCount)
            // The stream has begun again, or has left segments behind.
            if first > end || first < playlist.mediaSequence {
                first = max(playlist.mediaSequence, end - Self.startingSegmentCount)
            }
            idleCount = first < end ? 0 : idleCount + 1
            guard idleCount <= Self.patience else { throw RelayFailure("nothing has come for too long") }
            for number in first..<max(first, end) {
                let segment = playlist.segments[number - playlist.mediaSequence]
                guard segment.byteRange == nil, segment.initializationByteRange == nil else {
                    throw RelayFailure("the stream has segments that are parts of files, which are not fetched")
                }
                if let uri = segment.initializationSection, uri != initialization?.uri {
                    initialization = (uri, try await fetch(Self.resolve(uri, url), Self.maximumSegmentByteCount))
                }
                let bytes = try await fetch(Self.resolve(segment.uri, url), Self.maximumSegmentByteCount)
                progress.add(byteCount: bytes.readableBytes)
                let isFragmented = segment.initializationSection != nil
                try await reader.take(bytes, behind: isFragmented ? initialization?.bytes : nil, segment.duration)
                progress.started()
                next = number + 1
            }
            if playlist.hasEndList { return }
            // Feeding has taken about as long as the segments last.
            guard first >= end else { continue }
            try await Task.sleep(for: .milliseconds(min(max(500, Int64(playlist.targetDuration) * 500), 5_000)))
        }
    }
}
