import LiveChannels
import Packaging

/// The memory of a live segment or part that a client holds until it has received its response.
struct LiveHolding: Sendable {
    let channel: LiveChannel
    let segment: LiveSegmentAddress
    let part: LivePartAddress?
    /// The in-memory file that is held as a whole, with other segments; `nil` without one.
    let file: MediaFile.Identity?
    let byteCount: Int

    /// Describes a segment or part in the memory of its channel.
    init(channel: LiveChannel, segment: LiveSegmentAddress, part: LivePartAddress?, byteCount: Int) {
        (self.channel, self.segment, self.part, self.byteCount) = (channel, segment, part, byteCount)
        file = nil
    }

    /// Describes a segment in an in-memory file.
    init(channel: LiveChannel, segment: LiveSegmentAddress, in file: MediaFile) {
        (self.channel, self.segment, part) = (channel, segment, nil)
        self.file = file.identity
        byteCount = Int(file.byteCount)
    }

    /// True if the channel itself still keeps the memory.
    var isInWindow: Bool {
        if let part, channel.part(at: part) != nil { return true }
        return channel.segment(
            rendition: segment.rendition[...], mediaSequence: segment.mediaSequence, epoch: segment.epoch[...]) != nil
    }

    /// Identifies memory that is counted once.
    enum Key: Hashable, Sendable {
        case media(channel: ObjectIdentifier, LiveSegmentAddress, part: Int?)
        case file(MediaFile.Identity)
    }

    var key: Key {
        file.map { .file($0) } ?? .media(channel: ObjectIdentifier(channel), segment, part: part?.index)
    }
}
