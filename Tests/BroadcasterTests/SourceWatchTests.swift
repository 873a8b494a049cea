import MediaCore
import Testing

@testable import Broadcaster

struct SourceWatchTests {
    @Test func aCameraThatHangsIsSaidOnceAndSoIsItsReturn() {
        var watch = SourceWatch()
        let before = watch.secondPassed(at: 100)
        #expect(before.isEmpty, "nothing has been promised yet")
        watch.received(.video, at: 100)
        var notices: [String] = []
        for second in 101...110 {
            watch.received(.audio, at: Double(second))
            notices += watch.secondPassed(at: Double(second))
        }
        #expect(notices.count == 1 && notices.first?.contains("no video has arrived") == true, "\(notices)")
        watch.received(.video, at: 111)
        let after = watch.secondPassed(at: 111)
        #expect(after == ["video arrives from the source again"])
    }
}
