import HummingbirdCore
import NIOCore

/// A connection that needs a task only once it has something for it to do.
protocol ServedLater: ServerChildChannelValue {
    /// Succeeds when the connection needs a task; fails if it ends before.
    var served: EventLoopFuture<Void> { get }
}
