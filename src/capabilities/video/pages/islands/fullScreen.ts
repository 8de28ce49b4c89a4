/** Toggles full screen for the call's videos. */
export const toggleFullScreen = () => {
  const change =
    document.fullscreenElement === null
      ? document.querySelector(".stages")?.requestFullscreen()
      : document.exitFullscreen()
  change?.catch((cause) => console.info("The browser does not allow full screen", cause))
}
