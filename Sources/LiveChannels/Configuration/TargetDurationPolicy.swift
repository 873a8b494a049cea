/// The source of a channel's target duration.
package enum TargetDurationPolicy: Sendable, Hashable {
    /// The target duration is `LivePackagingConfiguration.targetDuration`.
    case configured
    /// The target duration is what the channel's publisher needed last time. It changes only between two publishing
    /// epochs, when nobody has watched for longer than the window, because players stop if it changes.
    case automatic
}
