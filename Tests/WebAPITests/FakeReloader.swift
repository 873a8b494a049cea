import HTTPEndpoints
import Synchronization
import Testing
import Workflows

@testable import JSONDocument
@testable import WebAPI

/// A file with one channel, whose version is `v1`, that notes each change and never has another version.
final class FakeReloader: ChannelsReloading {
    /// The outcome of a reload, and of a change.
    let answer = Mutex(Result<ChannelsReload, any Error>.success(ChannelsReload()))
    let failure = Mutex<ConfigurationError?>(nil)
    let edits = Mutex<[ConfigurationEdit]>([])

    func reload() async throws -> ChannelsReload { try answer.withLock { $0 }.get() }

    func configuration() async throws -> CurrentConfiguration {
        let channel = JSONText.object([("name", .string("canalA"))])
        return CurrentConfiguration(document: .object([("channels", .array([channel]))]), version: "v1")
    }

    func change(
        _ edit: ConfigurationEdit, version: String?, isOnMachine: Bool
    ) async throws -> (outcome: ChannelsReload, version: String) {
        #expect(isOnMachine, "the operator token is a file of the machine")
        if let failure = failure.withLock({ $0 }) { throw failure }
        edits.withLock { $0.append(edit) }
        return (try await reload(), "v2")
    }
}
