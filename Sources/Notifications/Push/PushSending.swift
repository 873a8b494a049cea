/// Sends requests to push services.
package protocol PushSending: Sendable {
    /// - Returns: the status of the answer; `nil` if there was none.
    func send(_ request: PushRequest) async -> Int?
}
