/// The decision about a publisher that wants the channel.
enum PublishingAdmission: Sendable {
    case published
    /// - Parameter displaced: the `onKick` functions of the pushes that have to make room for it.
    case waiting(displaced: [@Sendable (String) -> Void])
    case refused(PublishingError)
}
