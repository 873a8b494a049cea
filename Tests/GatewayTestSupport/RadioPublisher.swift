import Codecs
import Foundation
import ISOBMFF
package import LiveChannels
import Logging
package import MediaCore
import NIOCore
import NIOEmbedded
package import Packaging
import Synchronization
package import TestSupport

/// Publishes 48 kHz AAC-LC audio to a channel, with a controllable clock.
package final class RadioPublisher {
    package let directory: LiveChannelDirectory
    package let clock: WallClock
    private let eventLoop = EmbeddedEventLoop()
    private let testClock: TestClock
    private var epoch: PublishingEpoch?
    private var frameCount: Int64 = 0
    /// Bytes per frame. Audio has a few hundred; more makes segments as large as those of video.
    package var frameByteCount = 200

    /// Frames of 1,024 samples in two seconds; a segment ends after each such group.
    package static let framesPerSegment = 94

    package init() {
        let testClock = TestClock()
        let preset = QualityPreset(
            name: "low", width: 426, height: 240, frameRate: 24, videoBitRate: 400_000, audioBitRate: 64_000)
        self.testClock = testClock
        clock = testClock.wallClock
        directory = LiveChannelDirectory(
            configurations: ["canalA", "canalB"].map {
                ChannelConfiguration(name: $0, title: $0, defaultPreset: "low", presets: [preset])
            }, clock: clock, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    package var channel: LiveChannel { directory.all[0] }

    package func advance(by duration: Duration) { testClock.advance(by: duration) }

    package func begin() throws {
        let track = Track(id: 0, mediaType: .audio, timescale: Timescale(48_000))
        let configuration = CodecConfiguration.aac(try AACConfiguration(parsingAudioSpecificConfig: [0x11, 0x90]))
        epoch = try channel.beginPublishing(
            Publisher(remoteAddress: "192.0.2.1:5", userAgent: nil, transport: "RTSP/TCP", presetName: nil),
            tracks: [PublishedTrack(track: track, configuration: configuration)], on: eventLoop, onKick: { _ in })
    }

    /// - Parameter segments: number of segments that are complete afterwards.
    package func push(segments: Int) { push(frames: segments * Self.framesPerSegment + 1) }

    package func push(frames: Int) {
        for _ in 0..<frames {
            advance(by: .milliseconds(21))
            epoch?.append(
                AccessUnit(
                    decodeTime: frameCount * 1_024, presentationTime: frameCount * 1_024, isRandomAccessPoint: true,
                    payload: .frame(ByteBuffer(repeating: UInt8(truncatingIfNeeded: frameCount), count: frameByteCount))
                ),
                trackID: 0)
            frameCount += 1
        }
    }

    package func end() { epoch?.end(reason: "gone") }

    /// Opens the published media as a title, from a fragmented MP4.
    package func title(in folder: TemporaryDirectory, name: String = "radio.mp4") throws -> PackagedTitle {
        var bytes = ByteBuffer()
        for rendition in channel.window().renditions {
            guard let first = rendition.listed.first,
                let section = rendition.initializationSection(epoch: first.epoch[...], number: 0)
            else { continue }
            bytes.writeImmutableBuffer(section)
            for part in rendition.listed.flatMap(\.parts) {
                bytes.writeImmutableBuffer(part.header)
                bytes.writeImmutableBuffer(part.media)
            }
        }
        let path = "\(folder.path)/\(name)"
        try Data(bytes.readableBytesView).write(to: URL(fileURLWithPath: path))
        let file = try MediaFile(path: path)
        return try PackagedTitle(index: try MovieIndex.read(from: file), file: file)
    }
}
