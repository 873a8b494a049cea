import Foundation
import HLSPlaylist
import MediaCore
import NIOCore
import Packaging
import Testing
import TestSupport

@testable import LiveChannels

/// Loads a channel's playlists again and again, as a player does, and checks what rfc8216bis and the HLS Authoring
/// Specification require of a live playlist: within each load, from load to load, and between renditions.
final class PlaylistObserver {
    /// May be replaced by that of the next server.
    var channel: LiveChannel {
        // What the former server hinted at is lost with it.
        didSet { hinted = [:] }
    }
    let clock: TestClock
    private var seen: [String: [Int: Seen]] = [:]
    private var previous: [String: MediaPlaylist] = [:]
    private var departed: [Departed] = []
    /// URIs that need not be there any more.
    private var lost: Set<String> = []
    /// Milliseconds: what is missing from a load has been there until then at least.
    private var loadedAt: [String: WallClockTime] = [:]
    private(set) var loadCount = 0
    /// Parts that playlists have hinted at and that are not there yet, with the time of the hint.
    private var hinted: [String: WallClockTime] = [:]
    private(set) var hintCount = 0
    /// Time for which a hint is followed: after a long pause, what it named has come and gone.
    private static let hintPatience = Duration.seconds(30)
    /// The load at which a resource was fetched last.
    private var fetchedAt: [String: Int] = [:]
    /// Loads in a row that need not fetch the same resource again: of minutes of playlists each lists hundreds.
    private static let trustedLoadCount = 6

    private struct Seen {
        var segment: MediaSegment
        var discontinuity: Int
        /// Seconds, of the longest playlist that listed it.
        var longestPlaylist: Double
    }

    private struct Departed {
        var rendition: String
        var segment: MediaSegment
        /// Milliseconds; until then it has to be fetchable (rfc8216bis §6.2.2).
        var deadline: WallClockTime
    }

    /// How far renditions may be apart, in seconds: one audio frame and the rounding to milliseconds (HLS Authoring
    /// Specification 8.1).
    static let tolerance = 0.045

    /// A server was killed: what one rendition listed and another had not finished yet is lost, and a gap afterwards.
    func forgetNewest(count: Int) {
        for name in seen.keys {
            let newest = seen[name]?.keys.max() ?? 0
            for number in newest - count + 1...newest { seen[name]?[number] = nil }
        }
    }

    /// The server ends: what it made for the time before a rendition appeared is in memory only.
    func forgetBackfilled() {
        for rendition in channel.window().renditions {
            for segment in rendition.listed + rendition.retained where segment.isBackfilled {
                lost.insert("\(segment.epoch)/\(rendition.name)/\(segment.mediaSequence).m4s")
                seen[rendition.name]?[segment.mediaSequence] = nil
            }
            for segment in rendition.archived.segments {
                guard case .kept? = segment.placement?.media else { continue }
                let number = segment.header.mediaSequence
                lost.insert("\(segment.header.epoch)/\(rendition.name)/\(number).m4s")
                seen[rendition.name]?[number] = nil
            }
        }
        departed.removeAll { lost.contains($0.segment.uri) }
    }

    init(_ channel: LiveChannel, clock: TestClock) {
        self.channel = channel
        self.clock = clock
    }

    /// - Returns: the rendition's playlist, checked; `nil` where there is none.
    @discardableResult
    func load(_ rendition: String, sourceLocation: SourceLocation = #_sourceLocation) -> MediaPlaylist? {
        guard let text = channel.playlist(named: rendition[...]).map({ String(buffer: $0.plain) }) else { return nil }
        guard let playlist = try? MediaPlaylist(parsing: text) else {
            Issue.record("not a playlist: \(text)", sourceLocation: sourceLocation)
            return nil
        }
        loadCount += 1
        checkItself(playlist, rendition, sourceLocation)
        checkAgainstPrevious(playlist, rendition, sourceLocation)
        remember(playlist, rendition)
        return playlist
    }

    /// Both renditions and the multivariant playlist.
    @discardableResult
    func loadAll(sourceLocation: SourceLocation = #_sourceLocation) -> MultivariantPlaylist? {
        guard let text = channel.playlist(named: "playlist").map({ String(buffer: $0.plain) }) else { return nil }
        guard let multivariant = try? MultivariantPlaylist(parsing: text) else {
            Issue.record("not a playlist: \(text)", sourceLocation: sourceLocation)
            return nil
        }
        for uri in multivariant.variants.map(\.uri) + multivariant.renditions.compactMap(\.uri) {
            let request = LivePlaylistRequest(
                name: String(uri.prefix { $0 != "." }), codecGeneration: channel.window().codecGeneration)
            if case .absent = channel.playlist(request) {
                Issue.record("\(uri) leads nowhere", sourceLocation: sourceLocation)
            }
        }
        let video = load("video", sourceLocation: sourceLocation)
        let audio = load("audio", sourceLocation: sourceLocation)
        if let video, let audio { checkAlignment(video, audio, sourceLocation) }
        if let video { checkIFrames(beside: video, sourceLocation) }
        checkDeparted(sourceLocation)
        checkHints(sourceLocation)
        return multivariant
    }

    /// Every frame that the I-frame playlist lists can be fetched, and it lists the segments of its rendition.
    private func checkIFrames(beside video: MediaPlaylist, _ location: SourceLocation) {
        guard let text = channel.playlist(named: "iframes").map({ String(buffer: $0.plain) }),
            let playlist = try? MediaPlaylist(parsing: text), !playlist.segments.isEmpty
        else { return }
        // With a ladder, they are the frames of its lowest quality.
        let rendition = playlist.segments.first?.uri.split(separator: "/").dropFirst().first ?? "video"
        let whole = rendition == "video" ? video : load(String(rendition), sourceLocation: location) ?? video
        #expect(playlist.mediaSequence == whole.mediaSequence, sourceLocation: location)
        #expect(playlist.segments.map(\.uri) == whole.segments.map(\.uri), sourceLocation: location)
        for segment in playlist.segments where !segment.isGap {
            #expect(segment.byteRange != nil, sourceLocation: location)
            guard isToBeFetched("\(segment.uri) as an I-frame") else { continue }
            let size = byteCount(segment.uri)
            #expect(size != nil, "\(segment.uri) is an I-frame that cannot be fetched", sourceLocation: location)
            if let size, let range = segment.byteRange {
                #expect((range.offset ?? 0) + range.length <= size, sourceLocation: location)
            }
        }
    }

    // MARK: One load

    private func checkItself(_ playlist: MediaPlaylist, _ rendition: String, _ location: SourceLocation) {
        #expect(playlist.targetDuration == channel.targetDuration, sourceLocation: location)
        #expect(playlist.hasEndList == channel.window().hasEnded, sourceLocation: location)
        let isComplete = playlist.hasEndList && playlist.mediaSequence == 0
        #expect(playlist.playlistType == (isComplete ? .vod : nil), sourceLocation: location)
        #expect(playlist.discontinuitySequence != nil, sourceLocation: location)
        #expect(playlist.version == playlist.requiredVersion, sourceLocation: location)
        #expect(!playlist.segments.isEmpty, sourceLocation: location)
        for (index, segment) in playlist.segments.enumerated() {
            #expect(Int(segment.duration.rounded()) <= playlist.targetDuration, "\(segment)", sourceLocation: location)
            #expect(segment.duration > 0, sourceLocation: location)
            #expect(segment.programDateTime != nil, "HLS Authoring Specification 8.4", sourceLocation: location)
            #expect(segment.uri.hasSuffix("/\(playlist.mediaSequence + index).m4s"), sourceLocation: location)
            guard !segment.isGap, isToBeFetched(segment.uri) else { continue }
            #expect(byteCount(segment.uri) != nil, "\(segment.uri) cannot be fetched", sourceLocation: location)
            #expect(segment.initializationSection != nil, "HLS Authoring Specification 8.20", sourceLocation: location)
            if let section = segment.initializationSection {
                #expect(byteCount(section) != nil, "\(section) cannot be fetched", sourceLocation: location)
            }
        }
        for (first, second) in zip(playlist.segments, playlist.segments.dropFirst()) {
            checkDates(first, second, rendition, location)
        }
        checkParts(playlist, location)
    }

    /// HLS Authoring Specification 14; rfc8216bis §4.4.4.9
    private func checkParts(_ playlist: MediaPlaylist, _ location: SourceLocation) {
        let target = channel.configuration.packaging.partDuration
        #expect(playlist.partTarget == target, sourceLocation: location)
        #expect(playlist.serverControl?.partHoldBack ?? 0 >= 3 * target, sourceLocation: location)
        #expect(playlist.serverControl?.canBlockReload == !playlist.hasEndList, sourceLocation: location)
        let open = playlist.openSegment?.parts ?? []
        for part in playlist.segments.flatMap(\.parts) + open {
            #expect(part.duration <= target + 0.000_001, "\(part)", sourceLocation: location)
            guard isToBeFetched(part.uri) else { continue }
            #expect(byteCount(part.uri) != nil, "\(part.uri) cannot be fetched", sourceLocation: location)
        }
        for segment in playlist.segments where !segment.parts.isEmpty {
            for part in segment.parts.dropLast() {
                #expect(part.duration >= 0.85 * target - 0.000_001, "\(part)", sourceLocation: location)
            }
            let sum = segment.parts.reduce(0) { $0 + $1.duration }
            #expect(abs(sum - segment.duration) < Self.tolerance, "\(segment.uri)", sourceLocation: location)
            guard isToBeFetched("\(segment.uri) in parts") else { continue }
            #expect(
                segment.parts.compactMap { byteCount($0.uri) }.reduce(0, +) == byteCount(segment.uri),
                sourceLocation: location)
        }
        for part in open.dropLast() {
            #expect(part.duration >= 0.85 * target - 0.000_001, "\(part)", sourceLocation: location)
        }
        #expect(playlist.preloadHints.count <= (playlist.hasEndList ? 0 : 1), sourceLocation: location)
        // What is hinted at is not there yet.
        for hint in playlist.preloadHints {
            #expect(byteCount(hint.uri) == nil, "\(hint.uri)", sourceLocation: location)
            if hinted[hint.uri] == nil { hintCount += 1 }
            hinted[hint.uri] = clock.time
        }
    }

    /// A part that was hinted at is there, or a request for it still waits (rfc8216bis §6.2.6).
    private func checkHints(_ location: SourceLocation) {
        for (uri, time) in hinted {
            let isPast = clock.time - time > Self.hintPatience
            guard let address = Self.partAddress(uri), !isPast, byteCount(uri) == nil else {
                hinted[uri] = nil
                continue
            }
            let mayCome = channel.window().mayCome(address)
            #expect(mayCome, "\(uri) was hinted at and never comes", sourceLocation: location)
        }
    }

    private static func partAddress(_ uri: String) -> LivePartAddress? {
        let parts = uri.split(separator: "/")
        guard parts.count == 3 else { return nil }
        let numbers = parts[2].dropLast(4).split(separator: ".").compactMap { Int($0) }
        guard numbers.count == 2 else { return nil }
        return LivePartAddress(
            rendition: String(parts[1]), epoch: String(parts[0]), mediaSequence: numbers[0], index: numbers[1])
    }

    /// The first time that it is listed, and then now and then as long as it is.
    private func isToBeFetched(_ uri: String) -> Bool {
        if let last = fetchedAt[uri], loadCount - last < Self.trustedLoadCount { return false }
        fetchedAt[uri] = loadCount
        return true
    }

    private func checkDates(
        _ first: MediaSegment, _ second: MediaSegment, _ rendition: String, _ location: SourceLocation
    ) {
        guard let start = first.programDateTime, let next = second.programDateTime else { return }
        let distance = Double(next - start) / 1_000 - first.duration
        // Each absorbed jump of a publisher's clock may leave its timeline a frame ahead; a gap has the frame's date,
        // behind audio that may last a little longer.
        let overlap = second.isDiscontinuous || second.isGap ? Self.tolerance * 10 : Self.tolerance
        #expect(distance > -overlap, "dates go back", sourceLocation: location)
        // Audio may be missing for a while; the leading rendition may not.
        if rendition == "video", !second.isDiscontinuous, !first.isGap, !second.isGap {
            #expect(distance < Self.tolerance, "dates do not follow durations", sourceLocation: location)
        }
    }

    // MARK: From load to load

    private func checkAgainstPrevious(_ playlist: MediaPlaylist, _ rendition: String, _ location: SourceLocation) {
        let end = playlist.mediaSequence + playlist.segments.count
        if let previous = previous[rendition] {
            #expect(playlist.mediaSequence >= previous.mediaSequence, sourceLocation: location)
            #expect(end >= previous.mediaSequence + previous.segments.count, sourceLocation: location)
            #expect(
                playlist.discontinuitySequence ?? 0 >= previous.discontinuitySequence ?? 0, sourceLocation: location)
            // A channel that was given up, or a rendition that was away, begins again with one segment.
            if playlist.mediaSequence > previous.mediaSequence,
                playlist.mediaSequence < previous.mediaSequence + previous.segments.count
            {
                let duration = playlist.segments.reduce(0) { $0 + $1.duration }
                let packaging = channel.configuration.packaging
                #expect(playlist.segments.count >= packaging.minimumSegmentCount, sourceLocation: location)
                #expect(duration >= Double(3 * playlist.targetDuration) - 0.001, sourceLocation: location)
            }
        }
        for (number, segment, discontinuity) in Self.numbered(playlist) {
            guard let known = seen[rendition]?[number] else { continue }
            var segment = segment
            // A gap has none; the parser carries on the one before.
            if segment.isGap { segment.initializationSection = known.segment.initializationSection }
            // Parts leave the playlist before their segment does.
            var before = known.segment
            if segment.parts.isEmpty { before.parts = [] }
            #expect(before == segment, "a listed segment has changed", sourceLocation: location)
            #expect(known.discontinuity == discontinuity, "segment \(number)", sourceLocation: location)
        }
    }

    /// Each segment with its media sequence and discontinuity sequence number.
    private static func numbered(_ playlist: MediaPlaylist) -> [(Int, MediaSegment, Int)] {
        var discontinuity = playlist.discontinuitySequence ?? 0
        return playlist.segments.enumerated().map { index, segment in
            if segment.isDiscontinuous { discontinuity += 1 }
            return (playlist.mediaSequence + index, segment, discontinuity)
        }
    }

    private func remember(_ playlist: MediaPlaylist, _ rendition: String) {
        let duration = playlist.segments.reduce(0) { $0 + $1.duration }
        if let previous = previous[rendition] {
            for (number, segment, _) in Self.numbered(previous)
            where number < playlist.mediaSequence && !segment.isGap && !lost.contains(segment.uri) {
                let longest = seen[rendition]?[number]?.longestPlaylist ?? 0
                let seconds = segment.duration + longest
                let start = loadedAt[rendition] ?? clock.time
                departed.append(
                    Departed(rendition: rendition, segment: segment, deadline: start + .seconds(seconds)))
            }
        }
        for (number, segment, discontinuity) in Self.numbered(playlist) {
            let longest = max(seen[rendition]?[number]?.longestPlaylist ?? 0, duration)
            seen[rendition, default: [:]][number] = Seen(
                segment: segment, discontinuity: discontinuity, longestPlaylist: longest)
        }
        previous[rendition] = playlist
        loadedAt[rendition] = clock.time
    }

    // MARK: Between renditions

    private func checkAlignment(_ video: MediaPlaylist, _ audio: MediaPlaylist, _ location: SourceLocation) {
        let audioSegments = Dictionary(
            uniqueKeysWithValues: Self.numbered(audio).map { ($0.0, (segment: $0.1, discontinuity: $0.2)) })
        for (number, segment, discontinuity) in Self.numbered(video) {
            guard let other = audioSegments[number] else { continue }
            #expect(segment.isDiscontinuous == other.segment.isDiscontinuous, "\(number)", sourceLocation: location)
            #expect(discontinuity == other.discontinuity, "segment \(number)", sourceLocation: location)
            guard !segment.isGap, !other.segment.isGap else { continue }
            // What there is of the audio lies within the frame's time.
            let start = Double((other.segment.programDateTime ?? 0) - (segment.programDateTime ?? 0)) / 1_000
            let end = start + other.segment.duration
            let room = Self.tolerance * 10
            #expect(
                start > -room && end < segment.duration + room, "audio \(number) is at \(start)..<\(end)",
                sourceLocation: location)
        }
    }

    // MARK: Fetching

    private func checkDeparted(_ location: SourceLocation) {
        departed.removeAll { $0.deadline < clock.time }
        for departed in departed {
            #expect(
                byteCount(departed.segment.uri) != nil, "\(departed.segment.uri) went early", sourceLocation: location)
            if let section = departed.segment.initializationSection {
                #expect(byteCount(section) != nil, "\(section) went early", sourceLocation: location)
            }
        }
    }

    /// The bytes behind a URI of a media playlist.
    func fetch(_ uri: String) -> ByteBuffer? {
        pieces(uri).map { pieces in pieces.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1) } }
    }

    private func byteCount(_ uri: String) -> Int? {
        pieces(uri).map { pieces in pieces.reduce(0) { $0 + $1.readableBytes } }
    }

    private func pieces(_ uri: String) -> [ByteBuffer]? {
        let parts = uri.split(separator: "/")
        guard parts.count == 3 else { return nil }
        if parts[2].hasPrefix("init-"), let number = Int(parts[2].dropFirst(5).dropLast(4)) {
            return channel.initializationSection(rendition: parts[1], number: number, epoch: parts[0]).map { [$0] }
        }
        if let address = Self.partAddress(uri) { return channel.part(at: address).map { [$0.header, $0.media] } }
        guard let number = Int(parts[2].dropLast(4)) else { return nil }
        guard let segment = channel.segment(rendition: parts[1], mediaSequence: number, epoch: parts[0]) else {
            let archived = channel.archivedSegment(rendition: parts[1], mediaSequence: number, epoch: parts[0])
            guard case .complete(let pieces)? = try? archived?.read(cachedOnly: false) else { return nil }
            return pieces
        }
        let pieces = segment.parts.flatMap { [$0.header, $0.media] }
        return pieces.contains { $0.readableBytes > 0 } ? pieces : nil
    }
}
