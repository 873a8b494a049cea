import Testing

@testable import FastPathSwitch

struct FastPathsTests {
    @Test func pathsAreLeftOutByTheirNames() {
        let all = FastPaths(without: "")
        #expect(FastPaths.named.allSatisfy { all.contains($0.value) })
        #expect(FastPaths(without: "all").isEmpty && FastPaths(without: "hugePages, all").isEmpty)
        let some = FastPaths(without: "hugePages, pacedReads,unknown")
        #expect(some.isDisjoint(with: [.hugePages, .pacedReads]))
        #expect(some.union([.hugePages, .pacedReads]) == all)
        #expect(Set(FastPaths.named.map(\.key)).count == FastPaths.named.count)
    }
}
