package import HLSDelivery
import Synchronization

/// A library whose content the test provides.
package final class FakeTitles: PackagedTitleSource {
    private let state = Mutex(State())

    private struct State {
        var titles: [TitleAddress: TitleLookup] = [:]
        var files: [String: TrackFile] = [:]
        var lookupCount = 0
    }

    package struct Failure: Error {}

    package init() {}

    package var lookupCount: Int { state.withLock(\.lookupCount) }

    package func set(_ lookup: TitleLookup?, at address: TitleAddress) {
        state.withLock { $0.titles[address] = lookup }
    }
    package func set(_ file: TrackFile, id: String) { state.withLock { $0.files[id] = file } }

    package func packagedTitle(at address: TitleAddress) async throws -> TitleLookup {
        if address == .title(id: "failing") { throw Failure() }
        return state.withLock { state in
            state.lookupCount += 1
            return state.titles[address] ?? .unknown
        }
    }

    package func trackFile(id: String) async throws -> TrackFile? {
        if id == "failing" { throw Failure() }
        return state.withLock { $0.files[id] }
    }
}
