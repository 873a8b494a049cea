import Synchronization

/// The content of `channels.json` when it was last loaded without a mistake.
package final class CurrentChannelsFile: Sendable {
    private let state: Mutex<ChannelsFile>

    /// - Parameter file: the file that the server was started with.
    package init(_ file: ChannelsFile) { state = Mutex(file) }

    /// The current content.
    package var value: ChannelsFile { state.withLock { $0 } }

    func replace(with file: ChannelsFile) { state.withLock { $0 = file } }
}
