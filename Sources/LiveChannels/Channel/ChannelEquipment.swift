/// The parts of a server that a channel uses.
package struct ChannelEquipment: Sendable {
    /// Keeps sequence numbers between runs; `nil` to begin at zero.
    let store: (any ChannelStateStore)?
    /// Makes transcoders for codecs that HLS does not carry; `nil` refuses such tracks.
    let transcoders: (any LiveTranscoderFactory)?
    /// Makes ladders; `nil` if channels have only what publishers send.
    let ladders: (any LiveLadderFactory)?
    /// Makes slates; `nil` if no channel shows one.
    let slates: (any SlateSource)?
    /// Writes recordings and time shift; `nil` without either.
    let archive: ArchiveWriter?
    /// Is told what happens; `nil` for nobody.
    let observer: LiveChannelEvent.Observer?

    /// - Parameters:
    ///   - store: keeps sequence numbers between runs.
    ///   - transcoders: makes transcoders for codecs that HLS does not carry.
    ///   - ladders: makes ladders.
    ///   - slates: makes slates.
    ///   - archive: writes recordings and time shift.
    ///   - observer: is told what happens.
    package init(
        store: (any ChannelStateStore)? = nil, transcoders: (any LiveTranscoderFactory)? = nil,
        ladders: (any LiveLadderFactory)? = nil, slates: (any SlateSource)? = nil,
        archive: ArchiveWriter? = nil, observer: LiveChannelEvent.Observer? = nil
    ) {
        (self.store, self.transcoders, self.ladders) = (store, transcoders, ladders)
        (self.slates, self.archive, self.observer) = (slates, archive, observer)
    }
}
