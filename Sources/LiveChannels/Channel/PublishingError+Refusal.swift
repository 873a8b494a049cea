extension PublishingError {
    init(_ refusal: ChannelPresence<LiveChannel.EpochState>.Refusal) {
        switch refusal {
        case .closed: self = .closed
        case .busy(let holder):
            self = .channelBusy(since: holder.publisher.since, publisher: holder.publisher.address ?? "unknown")
        }
    }
}
