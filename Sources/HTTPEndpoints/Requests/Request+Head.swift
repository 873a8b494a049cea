package import HTTPTypes
package import Hummingbird

extension Request {
    /// The same request with another head.
    package func changingHead(_ change: (inout HTTPRequest) -> Void) -> Request {
        var head = head
        change(&head)
        return Request(head: head, body: body)
    }
}
