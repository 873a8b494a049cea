import Foundation
package import LiveChannels
import Synchronization

/// Samples of channels of the last hour, for small graphs. It is kept in memory only.
package final class ChannelHistory: Sendable {
    /// The values of a channel at one moment.
    package struct Sample: Sendable, Hashable {
        /// Bits per second of video and audio together.
        package var bitRate: Float
        package var frameRate: Float
        /// Seconds between key frames.
        package var keyFrameDistance: Float
        /// Packets lost since the sample before.
        package var lost: Float
        package var viewers: Float
    }

    private struct Channel {
        var samples: [Sample] = []
        var packetsLost = 0
    }

    private let channels = Mutex<[String: Channel]>([:])

    /// The time between two samples.
    package static let interval = Duration.seconds(20)
    /// The number of samples: those of an hour.
    package static let sampleCount = 180

    package init() {}

    /// Adds a sample of each channel; channels that are gone are forgotten.
    package func add(_ statuses: [ChannelStatus]) {
        channels.withLock { channels in
            var new: [String: Channel] = [:]
            for status in statuses {
                var channel = channels[status.name] ?? Channel(packetsLost: status.packetsLost)
                let video = status.tracks.first { $0.type == "video" }
                channel.samples.append(
                    Sample(
                        bitRate: Float(status.tracks.reduce(0) { $0 + Double($1.bitRate ?? 0) }),
                        frameRate: Float(video?.frameRate ?? 0), keyFrameDistance: Float(status.keyFrameDistance ?? 0),
                        lost: Float(max(0, status.packetsLost - channel.packetsLost)),
                        viewers: Float(status.viewers)))
                if channel.samples.count > Self.sampleCount { channel.samples.removeFirst() }
                channel.packetsLost = status.packetsLost
                new[status.name] = channel
            }
            channels = new
        }
    }

    /// The samples of a channel, oldest first.
    package func samples(ofChannel name: String) -> [Sample] { channels.withLock { $0[name]?.samples ?? [] } }
}
