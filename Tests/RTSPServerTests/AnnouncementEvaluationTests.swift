import Testing

@testable import RTSPServer

struct AnnouncementEvaluationTests {
    /// The same reading as for HLS.
    @Test(arguments: [
        "/live/canalA.stream", "/live/canal%41.stream", "/%6Cive/canalA%2estream", "//live//canalA.stream",
    ]) func channelsHaveOneReading(_ path: String) {
        #expect(AnnouncementEvaluation.channelName(path: path) == "canalA")
    }

    @Test(arguments: [
        "", "/live", "/live/.stream", "/live/canalA", "/vod/canalA.stream", "/live/a/canalA.stream",
        "/live/a%2FcanalA.stream", "/live/../live/canalA.stream", "/live/%2e%2e/canalA.stream", "/live/canal A.stream",
        "/live/canalA%00.stream", "/live/canalA\\.stream", "/live/canal%C1%81.stream", "/signed/x/live/canalA.stream",
    ]) func everythingElseIsNoChannel(_ path: String) {
        #expect(AnnouncementEvaluation.channelName(path: path) == nil)
    }
}
