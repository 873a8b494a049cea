import Synchronization

/// What `channels.json` said when it was last read without a mistake.
package final class CurrentChannelsFile: Sendable {
    private let state: Mutex<ChannelsFile>

    package init(_ file: ChannelsFile) { state = Mutex(file) }

    package var value: ChannelsFile { state.withLock { $0 } }

    func replace(with file: ChannelsFile) { state.withLock { $0 = file } }
}
