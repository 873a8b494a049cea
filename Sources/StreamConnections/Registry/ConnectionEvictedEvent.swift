/// Event for the pipeline of a connection that is closed to make room for another one.
package struct ConnectionEvictedEvent: Sendable {}
