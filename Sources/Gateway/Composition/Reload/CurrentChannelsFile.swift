package import ServerSettings
import Synchronization

/// The content of `channels.json` when it was last loaded without a mistake.
package final class CurrentChannelsFile: Sendable {
    private let state: Mutex<ChannelsFile>
    private let observers = Mutex<[@Sendable (ChannelsFile) -> Void]>([])

    /// - Parameter file: the file that the server was started with.
    package init(_ file: ChannelsFile) { state = Mutex(file) }

    /// The current content.
    package var value: ChannelsFile { state.withLock { $0 } }

    /// Has an observer told of each file that was loaded again.
    func whenReplaced(_ observer: @escaping @Sendable (ChannelsFile) -> Void) {
        observers.withLock { $0.append(observer) }
    }

    func replace(with file: ChannelsFile) {
        state.withLock { $0 = file }
        for observer in observers.withLock({ $0 }) { observer(file) }
    }
}
