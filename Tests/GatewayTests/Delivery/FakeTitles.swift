import Packaging
import Synchronization

@testable import Gateway

/// A library whose content the test provides.
final class FakeTitles: PackagedTitleSource {
    private let state = Mutex(State())

    private struct State {
        var titles: [TitleAddress: TitleLookup] = [:]
        var files: [String: TrackFile] = [:]
        var lookupCount = 0
    }

    struct Failure: Error {}

    var lookupCount: Int { state.withLock(\.lookupCount) }

    func set(_ lookup: TitleLookup?, at address: TitleAddress) { state.withLock { $0.titles[address] = lookup } }
    func set(_ file: TrackFile, id: String) { state.withLock { $0.files[id] = file } }

    func packagedTitle(at address: TitleAddress) async throws -> TitleLookup {
        if address == .title(id: "failing") { throw Failure() }
        return state.withLock { state in
            state.lookupCount += 1
            return state.titles[address] ?? .unknown
        }
    }

    func trackFile(id: String) async throws -> TrackFile? {
        if id == "failing" { throw Failure() }
        return state.withLock { $0.files[id] }
    }
}
