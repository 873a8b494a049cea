package import Codecs
import HLSPlaylist
package import MediaCore
package import NIOCore
package import Packaging

/// One rendition of a channel as viewers see it: the segments that its playlist lists, those that have just left it,
/// and the parts of the one that is being built.
package struct RenditionWindow: Sendable {
    package let mediaType: MediaType
    package internal(set) var configuration: CodecConfiguration
    /// Oldest first.
    package private(set) var listed: [LiveSegment] = []
    /// Off the playlist, but still fetchable (bis §6.2.2), oldest first.
    package private(set) var retained: [LiveSegment] = []
    /// Finished parts of the segment that is being built.
    package private(set) var openParts: [PartialSegment] = []
    /// How many discontinuities have left the playlist.
    package private(set) var discontinuitySequence: Int
    /// The initialization sections that listed and retained segments need.
    private var initializationSections: [InitializationSection] = []

    private struct InitializationSection: Sendable {
        var epoch: String
        var number: Int
        var bytes: ByteBuffer
    }

    init(mediaType: MediaType, configuration: CodecConfiguration, discontinuitySequence: Int) {
        self.mediaType = mediaType
        self.configuration = configuration
        self.discontinuitySequence = discontinuitySequence
    }

    /// In URLs: `video`, `audio`.
    package var name: String { mediaType.rawValue }

    /// Nothing but gaps is listed: the rendition has gone.
    var hasNoMedia: Bool { listed.allSatisfy(\.isGap) && openParts.isEmpty }

    // MARK: Growing and shrinking

    mutating func append(_ part: PartialSegment) { openParts.append(part) }

    /// - Parameters:
    ///   - minimumCount: of listed segments.
    ///   - minimumDuration: seconds that stay listed (bis §6.2.2: three target durations).
    mutating func append(_ segment: LiveSegment, minimumCount: Int, minimumDuration: Double) {
        openParts.removeAll()
        listed.append(segment)
        while listed.count > minimumCount, let first = listed.first,
            Self.seconds(listed) - first.duration.seconds >= minimumDuration
        {
            listed.removeFirst()
            if first.isDiscontinuous { discontinuitySequence += 1 }
            retained.append(first)
        }
        dropExpired()
    }

    /// A segment that left stays for its own duration and that of the playlist that listed it. Media arrives in real
    /// time, so what has been appended since tells how long ago that was.
    private mutating func dropExpired() {
        let listedSeconds = Self.seconds(listed)
        while let first = retained.first {
            let since = Self.seconds(retained.dropFirst())
            guard since >= first.duration.seconds + listedSeconds else { break }
            retained.removeFirst()
        }
        let needed = Set((retained + listed).map { "\($0.epoch)/\($0.initializationNumber)" })
        guard let newest = initializationSections.last else { return }
        initializationSections.removeAll {
            !needed.contains("\($0.epoch)/\($0.number)") && ($0.epoch, $0.number) != (newest.epoch, newest.number)
        }
    }

    mutating func add(initializationSection bytes: ByteBuffer, epoch: String, number: Int) {
        initializationSections.append(InitializationSection(epoch: epoch, number: number, bytes: bytes))
    }

    private static func seconds(_ segments: some Sequence<LiveSegment>) -> Double {
        segments.reduce(0) { $0 + $1.duration.seconds }
    }

    // MARK: Looking up

    /// Listed or retained.
    package func segment(mediaSequence: Int, epoch: Substring) -> LiveSegment? {
        let all = listed.last.map { mediaSequence >= $0.mediaSequence - listed.count + 1 } == true ? listed : retained
        return all.last { $0.mediaSequence == mediaSequence && $0.epoch == epoch && !$0.isGap }
    }

    package func initializationSection(epoch: Substring, number: Int) -> ByteBuffer? {
        initializationSections.first { $0.epoch == epoch && $0.number == number }?.bytes
    }

    /// Over what is listed; `nil` where that is nothing but gaps.
    package func bitRate(targetDuration: Int) -> SegmentBitRate? {
        let media = listed.filter { !$0.isGap }
        guard !media.isEmpty else { return nil }
        return SegmentBitRate(
            segments: media.map { ($0.byteCount, $0.duration.seconds) }, targetDuration: Double(targetDuration))
    }

    /// Pictures a second over what is listed; `nil` for audio.
    package var frameRate: Double? {
        guard mediaType == .video else { return nil }
        let seconds = Self.seconds(listed.filter { !$0.isGap })
        let count = listed.reduce(0) { $0 + $1.parts.reduce(0) { $0 + $1.sampleCount } }
        return seconds > 0 ? Double(count) / seconds : nil
    }

    /// Bytes of media held.
    package var byteCount: Int {
        (retained + listed).reduce(0) { $0 + $1.byteCount } + openParts.reduce(0) { $0 + $1.byteCount }
    }
}
