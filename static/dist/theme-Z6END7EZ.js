(()=>{let t=localStorage.getItem("theme");(t==="light"||t==="dark"||t==="contrast")&&(document.documentElement.dataset.theme=t)})();
