import Foundation
import Testing

/// The minutes that a test may take. Of the limits of a suite and a test the shortest holds, so measurements that the
/// environment asks for are given their time here: five movements of the ledger a second, and an hour for offline
/// copies.
private let minutes: Int = {
    let environment = ProcessInfo.processInfo.environment
    let movements = environment["ANTENA_TORTURE"].flatMap(Int.init) ?? 0
    return max(5, movements / 300, environment["ANTENA_OFFLINE_MEGABYTES"] == nil ? 0 : 60)
}()

/// Tests of the built program with real clients. They run one after the other, because each keeps two cores busy.
@Suite(.serialized, .timeLimit(.minutes(minutes))) enum EndToEnd {}
