/// An object that waits for a tick.
package protocol TickWaiter: AnyObject {
    func tick()
}
