/// The event by which a connection learns that it is to end properly.
package struct ClientConnectionStop: Sendable {
    package init() {}
}
