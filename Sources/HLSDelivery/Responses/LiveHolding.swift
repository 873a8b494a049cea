import LiveChannels

/// The memory of a live segment or part that a client holds until it has received its response.
struct LiveHolding: Sendable {
    let channel: LiveChannel
    let segment: LiveSegmentAddress
    let part: LivePartAddress?
    let byteCount: Int

    /// True if the channel itself still keeps the memory.
    var isInWindow: Bool {
        if let part, channel.part(at: part) != nil { return true }
        return channel.segment(
            rendition: segment.rendition[...], mediaSequence: segment.mediaSequence, epoch: segment.epoch[...]) != nil
    }

    struct Key: Hashable, Sendable {
        var channel: ObjectIdentifier
        var segment: LiveSegmentAddress
        var part: Int?
    }

    var key: Key { Key(channel: ObjectIdentifier(channel), segment: segment, part: part?.index) }
}
