const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["client-ProfilePage-93dbbf6a.js","client-libraries-df66e8dc.js","client-PageHead-a64df997.js","client-PersonRow-92a098e5.js","client-LiveList-de9b5e00.js","client-PeopleList-6583e276.js","client-SearchPage-269f02e9.js","client-LivePage-af45f47d.js","client-SettingsPage-29b5c7f5.js"])))=>i.map(i=>d[i]);
import{a as e,i as t,n,r,t as i}from"./client-libraries-df66e8dc.js";import{$ as a,A as o,B as s,C as c,D as l,E as u,F as d,G as f,H as p,I as m,J as h,K as g,L as _,M as v,N as y,P as b,Q as ee,R as x,S,T as C,U as w,V as T,W as te,X as ne,Y as re,Z as ie,_ as ae,a as E,b as oe,c as se,d as D,et as O,g as ce,h as le,i as k,j as A,k as j,l as ue,m as de,nt as M,o as fe,p as N,q as pe,r as me,rt as P,s as F,t as I,tt as he,u as L,v as R,w as ge,x as _e}from"./client-PageHead-a64df997.js";var z=e(),ve=t(),B=n(),V=r(),ye=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`since`}],t=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:[{kind:`Literal`,name:`first`,value:0}],concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:[{kind:`Variable`,name:`since`,variableName:`since`}],kind:`ScalarField`,name:`newCount`,storageKey:null}],storageKey:`homeFeed(first:0)`}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`newsCountQuery`,selections:t,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`newsCountQuery`,selections:t},params:{cacheID:`0954bfc113187bf34c3c449b98d24d4d`,id:null,metadata:{},name:`newsCountQuery`,operationKind:`query`,text:`query newsCountQuery(
  $since: String!
) {
  viewer {
    homeFeed(first: 0) {
      newCount(since: $since)
    }
  }
}
`}}})();ye.hash=`a42fbd497a2b580fcae75f7fa785b0ca`;var be=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},n={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null};return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`newsHomeFeedSubscription`,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`homeFeedEdges`,plural:!1,selections:[e,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,n,r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,i],storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostCard_post`}],storageKey:null}],storageKey:null}],type:`Subscription`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`newsHomeFeedSubscription`,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`homeFeedEdges`,plural:!1,selections:[e,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,n,r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,i,t,a,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[t,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[a,i,t],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[t,o,s,r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,a,i,t],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null}],storageKey:null}],storageKey:null}]},params:{cacheID:`773895801eef3fa4f3ba64057a795174`,id:null,metadata:{},name:`newsHomeFeedSubscription`,operationKind:`subscription`,text:`subscription newsHomeFeedSubscription {
  homeFeedEdges {
    cursor
    node {
      id
      databaseId
      publishedAt
      author {
        databaseId
        name
        id
      }
      ...PostCard_post
    }
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();be.hash=`80bff645903e39c35555cd0294d3b982`;function H(e,t=Math.random()){let n=Math.min(3e4,500*2**Math.min(e,10));return n/2+n/2*t}function xe(e,t){if(e.publishedAt!==t.publishedAt)return e.publishedAt>t.publishedAt?-1:1;let[n,r]=[e.databaseId,t.databaseId];return n.length===r.length?n===r?0:n>r?-1:1:n.length>r.length?-1:1}function Se(e,t,n){if(t.some(t=>t.id===e.id))return`shown`;let r=t.findIndex(e=>e.cursor!==null&&e.cursor===n),i=t[Math.max(r,0)];if(!i||xe(e,i)<0)return`above`;let a=t.slice(Math.max(r,0)).find(t=>t.cursor!==null&&xe(e,t)<0);return a?.cursor?{before:a.cursor}:`below`}function Ce(e,t){return Math.max(e,t)}function we(e){return e>=100?`100+ new posts`:e===1?`1 new post`:`${e} new posts`}var Te={posts:[],counted:0},Ee=1e3,De=class{environment;socket;state=M(Te);#e=null;#t=null;#n=new Set;#r=0;constructor(e,t){this.environment=e,this.socket=t}start(){return this.socket.onOpen=()=>this.#s(Ee,()=>void this.count()),this.#i(),()=>{this.#t?.dispose(),this.#t=null;for(let e of this.#n)clearTimeout(e);this.socket.close()}}setTop(e){e!==this.#e&&(this.#e=e,this.state.set({...this.state.get(),counted:0}))}announced(){return this.state.get().posts.map(e=>e.id)}read(e){this.settle(new Set(e)),this.state.set({...this.state.get(),counted:0})}settle(e){let{posts:t,counted:n}=this.state.get();this.state.set({posts:t.filter(t=>!e.has(t.id)),counted:n})}async count(){let e=this.#e;if(e===null)return;let t=(await(0,V.fetchQuery)(this.environment,ye,{since:e},{fetchPolicy:`network-only`}).toPromise().catch(()=>null))?.viewer?.homeFeed.newCount;t!==void 0&&e===this.#e&&this.state.set({...this.state.get(),counted:t})}#i(){this.#t=(0,V.requestSubscription)(this.environment,{subscription:be,variables:{},onNext:e=>e&&this.#a({...e.homeFeedEdges.node,cursor:e.homeFeedEdges.cursor}),onError:()=>this.#o(),onCompleted:()=>this.#o()})}#a(e){this.#r=0;let{posts:t,counted:n}=this.state.get();t.some(t=>t.id===e.id)||this.state.set({posts:[...t,e].slice(-100),counted:t.length<100?n&&Math.min(n+1,100):100})}#o(){this.#s(H(this.#r++),()=>{this.#t?.dispose(),this.#i(),this.#s(Ee,()=>void this.count())})}#s(e,t){let n=setTimeout(()=>{this.#n.delete(n),t()},e);this.#n.add(n)}},Oe=2,ke=e=>new Promise(t=>setTimeout(t,e));function Ae(e,t,n,r){let i=async(n,i)=>{let a=t.status.get().limitedUntil-Date.now();if(a>0)throw new T(`RATE_LIMITED`,`the server asked for a pause`,null,Math.ceil(a/1e3));let o=t.asked(),s=await Me(e,{query:n.text,variables:i}).catch(()=>null);if(!s)throw t.lost(),new T(`UNREACHABLE`,`the server does not answer`);o();let c=await s.json().catch(()=>null),l=w(s.status,c,e=>s.headers.get(e))??je(c,r);if(!l)return c;throw l.code===`RATE_LIMITED`&&t.limited(l.retryAfter),l.code===`UNAUTHENTICATED`&&r.signedOut(),l};return V.Network.create(async(e,t)=>{for(let n=0;;n++)try{return await i(e,t)}catch(t){if(!(e.operationKind===`query`&&t instanceof T&&t.code===`UNAVAILABLE`)||n===Oe)throw t;await ke(Math.max(H(n),t.retryAfter*1e3))}},(e,t)=>V.Observable.create(i=>n.subscribe({query:e.text??``,variables:t},{next:i.next,complete:i.complete,error(e){e instanceof T&&e.code===`UNAUTHENTICATED`&&r.signedOut(),i.error(e)}})))}function je(e,t){let n=e.data;return!t.known||n?.viewer!==null?null:new T(`UNAUTHENTICATED`,`the session is over`)}function Me(e,t){return fetch(e,{method:`POST`,headers:{"Content-Type":`application/json`,Accept:`application/graphql-response+json, application/json;q=0.5`},body:JSON.stringify(t)})}var Ne=20;function Pe(e,t,n){return new V.Environment({network:Ae(`/graphql`,e,t,n),store:new V.Store(new V.RecordSource,{gcReleaseBufferSize:Ne})})}var Fe=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),Ie=function(e){return`/assets/`+e},Le={},Re=function(e){return e.pathname.endsWith(`.css`)},ze=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},U=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=Ie(t,n);let r=s(t),i=Re(r);return ze(Le,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:Fe,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},Be=class{endpoint;onOpen=()=>void 0;#e=null;#t=0;constructor(e){this.endpoint=e}subscribe(e,t){let n=!1,r=()=>void 0;return this.#n().then(i=>{n||(r=i.subscribe(e,Ve(t)))},e=>t.error(e)),()=>{n=!0,r()}}close(){this.#e?.then(e=>e.dispose()).catch(()=>void 0)}#n(){return this.#e??=U(async()=>{let{createClient:e}=await import(`./client-dist-22dc98f1.js`);return{createClient:e}},[]).then(({createClient:e})=>e({url:new URL(this.endpoint,location.href.replace(/^http/,`ws`)).href,keepAlive:2e4,retryAttempts:1/0,shouldRetry:()=>!0,retryWait:()=>new Promise(e=>setTimeout(e,H(this.#t++))),onNonLazyError:()=>void 0,on:{connected:()=>{this.#t=0,this.onOpen()}}})),this.#e}};function Ve(e){return{next(t){let n=t.errors?.[0];n?e.error(new T(String(n.extensions?.code??`INTERNAL`),n.message)):e.next(t)},error:()=>e.error(new T(`UNAVAILABLE`,`the subscription has ended`)),complete:()=>e.complete()}}var He=(function(){var e=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`DeskProviderQuery`,selections:e,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`DeskProviderQuery`,selections:e},params:{cacheID:`8fb00b43f0cae9ad702976b68b983e5f`,id:null,metadata:{},name:`DeskProviderQuery`,operationKind:`query`,text:`query DeskProviderQuery {
  viewer {
    user {
      id
      databaseId
      handle
      name
    }
  }
}
`}}})();He.hash=`e442c5ea5fac26821581523baf9c1f37`;var W=i();function G({title:e,onClose:t,children:n}){let r=(0,z.useRef)(null),i=(0,z.useId)();return(0,z.useLayoutEffect)(()=>{let e=r.current;return e?.showModal(),()=>e?.close()},[]),(0,W.jsx)(`dialog`,{ref:r,className:`dialog`,"aria-labelledby":i,onClose:t,onClick:e=>e.target===r.current&&t(),children:(0,W.jsxs)(`div`,{className:`dialog-body`,children:[(0,W.jsxs)(`header`,{className:`dialog-head`,children:[(0,W.jsx)(`h2`,{id:i,children:e}),(0,W.jsx)(`button`,{type:`button`,className:`icon-button`,"aria-label":`Close`,onClick:t,children:(0,W.jsx)(h,{name:`close`})})]}),n]})})}function Ue(e){return(0,W.jsxs)(G,{title:e.title,onClose:e.onClose,children:[(0,W.jsx)(`p`,{children:e.text}),(0,W.jsxs)(`div`,{className:`dialog-foot`,children:[(0,W.jsx)(`button`,{type:`button`,className:`button`,onClick:e.onClose,children:`Keep it`}),(0,W.jsx)(`button`,{type:`button`,className:`button button-danger`,onClick:()=>{e.onClose(),e.onYes()},children:e.yes})]})]})}var We=`tideline-draft `,Ge=new Set;function Ke(e,{replyTo:t,repostOf:n}){return`${We}${e} ${t?`reply ${t}`:n?`repost ${n}`:`post`}`}function K(e){let t=sessionStorage.getItem(e);return t?JSON.parse(t):{text:``}}function q(e,t){t.text||t.sent?sessionStorage.setItem(e,JSON.stringify(t)):sessionStorage.removeItem(e);for(let e of[...Ge])e()}function qe(e){return[(0,z.useSyncExternalStore)(Je,()=>K(e).text),(0,z.useCallback)(t=>q(e,{...K(e),text:t}),[e])]}function Je(e){return Ge.add(e),()=>Ge.delete(e)}function Ye(e,t,n){let{sent:r}=K(e),i=r?.text===t?r.key:n();return q(e,{text:``,sent:{text:t,key:i}}),i}function Xe(e,t){let n=K(e);q(e,{...n,text:n.text||t})}function Ze(e,t){let n=K(e);q(e,{text:n.text===t?``:n.text})}function Qe(){for(let e of Object.keys(sessionStorage))e.startsWith(We)&&sessionStorage.removeItem(e)}var $e=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{kind:`Variable`,name:`input`,variableName:`input`}],n={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`publishMutation`,selections:[{alias:null,args:t,concreteType:`PublishPostPayload`,kind:`LinkedField`,name:`publishPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`feedEdge`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,{args:null,kind:`FragmentSpread`,name:`PostCard_post`}],storageKey:null}],storageKey:null},i],storageKey:null}],type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`publishMutation`,selections:[{alias:null,args:t,concreteType:`PublishPostPayload`,kind:`LinkedField`,name:`publishPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`feedEdge`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,c,l,u,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,u,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,a,o,s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,u,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null}],storageKey:null}],storageKey:null},i],storageKey:null}]},params:{cacheID:`dd42d8db0226a61bceabc188dd86bbca`,id:null,metadata:{},name:`publishMutation`,operationKind:`mutation`,text:`mutation publishMutation(
  $input: PublishPostInput!
) {
  publishPost(input: $input) {
    feedEdge {
      cursor
      node {
        id
        ...PostCard_post
      }
    }
    userErrors {
      code
      message
    }
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();$e.hash=`233b0928672ca761592dd224964a63c7`;var et=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`likePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsLikeMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsLikeMutation`,selections:t},params:{cacheID:`5f5c16897aa502258d9192176fa5470e`,id:null,metadata:{},name:`PostMutationsLikeMutation`,operationKind:`mutation`,text:`mutation PostMutationsLikeMutation(
  $input: PostIdInput!
) {
  payload: likePost(input: $input) {
    post {
      id
      viewerHasLiked
      counters {
        likes
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();et.hash=`dc5beafaa3a494073eed664b4213b5bb`;var tt=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`unlikePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsUnlikeMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsUnlikeMutation`,selections:t},params:{cacheID:`a451dbb9d5cac0527fe1a56f120c37ed`,id:null,metadata:{},name:`PostMutationsUnlikeMutation`,operationKind:`mutation`,text:`mutation PostMutationsUnlikeMutation(
  $input: PostIdInput!
) {
  payload: unlikePost(input: $input) {
    post {
      id
      viewerHasLiked
      counters {
        likes
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();tt.hash=`4acf0800e979777a9d20699309ed48bf`;var nt=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`favoritePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsFavoriteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsFavoriteMutation`,selections:t},params:{cacheID:`cf604bd18f55b96dd44381b269b047b1`,id:null,metadata:{},name:`PostMutationsFavoriteMutation`,operationKind:`mutation`,text:`mutation PostMutationsFavoriteMutation(
  $input: PostIdInput!
) {
  payload: favoritePost(input: $input) {
    post {
      id
      viewerHasFavorited
      counters {
        favorites
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();nt.hash=`070dafa5c59f9ca7ef1744a7e0dc4ca6`;var rt=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`unfavoritePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsUnfavoriteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsUnfavoriteMutation`,selections:t},params:{cacheID:`c7aac1c2d4db3acc4a72d6baca54d838`,id:null,metadata:{},name:`PostMutationsUnfavoriteMutation`,operationKind:`mutation`,text:`mutation PostMutationsUnfavoriteMutation(
  $input: PostIdInput!
) {
  payload: unfavoritePost(input: $input) {
    post {
      id
      viewerHasFavorited
      counters {
        favorites
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();rt.hash=`79b49cf83f57b17e19a1f90a4a940357`;var it=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`EditPostPayload`,kind:`LinkedField`,name:`editPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsEditMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsEditMutation`,selections:t},params:{cacheID:`973476de504462afe3e18d27c943e77e`,id:null,metadata:{},name:`PostMutationsEditMutation`,operationKind:`mutation`,text:`mutation PostMutationsEditMutation(
  $input: EditPostInput!
) {
  editPost(input: $input) {
    post {
      id
      text
      editedAt
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();it.hash=`e41a65eaca77822e4fc92c92b519c950`;var at=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`DeletePostPayload`,kind:`LinkedField`,name:`deletePost`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`deletedPostId`,storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsDeleteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsDeleteMutation`,selections:t},params:{cacheID:`850bb52c5c5cf07c4e6fce9ad4d87db2`,id:null,metadata:{},name:`PostMutationsDeleteMutation`,operationKind:`mutation`,text:`mutation PostMutationsDeleteMutation(
  $input: PostIdInput!
) {
  deletePost(input: $input) {
    deletedPostId
    userErrors {
      code
      message
    }
  }
}
`}}})();at.hash=`6fb8a99b0ebfdf8dd05ff0326a094bbc`;var ot=et,st=tt;function ct({id:e,viewerHasLiked:t,counters:n}){let r=!t,i={id:e,viewerHasLiked:r,counters:{likes:n.likes+(r?1:-1)}};return{mutation:r?ot:st,variables:{input:{postId:e}},optimisticResponse:{payload:{post:i,userErrors:[]}}}}var lt=nt,ut=rt;function dt({id:e,viewerHasFavorited:t,counters:n}){let r=!t,i={id:e,viewerHasFavorited:r,counters:{favorites:n.favorites+(r?1:-1)}};return{mutation:r?lt:ut,variables:{input:{postId:e}},optimisticResponse:{payload:{post:i,userErrors:[]}}}}function ft(e,t,n){return{mutation:it,variables:{input:{postId:e,text:t}},optimisticResponse:{editPost:{post:{id:e,text:t,editedAt:n},userErrors:[]}}}}function pt(e){let t=t=>{t.delete(e.id),e.replyTo&&J(t,e.replyTo,`comments`,-1),e.repostOf&&J(t,e.repostOf,`reposts`,-1)};return{mutation:at,variables:{input:{postId:e.id}},optimisticUpdater:t,updater:t}}function J(e,t,n,r){let i=e.get(t)?.getLinkedRecord(`counters`),a=i?.getValue(n);typeof a==`number`&&i?.setValue(Math.max(0,a+r),n)}var mt=`HomeTimeline_homeFeed`;function ht(e){let t=e.get(V.ROOT_ID)?.getLinkedRecord(`viewer`);return t?V.ConnectionHandler.getConnection(t,mt):void 0}var gt=$e;function _t(e,t,n){return{mutation:gt,variables:{input:{...e,idempotencyKey:t}},optimisticUpdater:r=>{let i=n?r.get(n):null;i&&bt(r,yt(r,e,t,i),null,e,i)},updater:t=>{let r=t.getRootField(`publishPost`)?.getLinkedRecord(`feedEdge`),i=r?.getLinkedRecord(`node`),a=r?.getValue(`cursor`);i&&bt(t,i,typeof a==`string`?a:null,e,n?t.get(n)??null:null)}}}var vt=e=>e.startsWith(`pending:`);function yt(e,t,n,r){let i=e.create(`pending:${n}`,`Post`),a=e.create(`pending:${n}:counters`,`PostCounters`);for(let e of[`likes`,`comments`,`reposts`,`favorites`])a.setValue(0,e);let o={id:`pending:${n}`,databaseId:`0`,kind:xt(t),text:t.text,media:[],publishedAt:new Date().toISOString(),editedAt:null,viewerHasLiked:!1,viewerHasFavorited:!1};for(let[e,t]of Object.entries(o))i.setValue(t,e);i.setLinkedRecord(r,`author`),i.setLinkedRecord(a,`counters`);for(let n of[`replyTo`,`repostOf`]){let r=t[n]?e.get(t[n]):null;r?i.setLinkedRecord(r,n):i.setValue(null,n)}return i}function bt(e,t,n,r,i){let a=r.replyTo?e.get(r.replyTo):null,o=[ht(e),i&&V.ConnectionHandler.getConnection(i,`ProfilePosts_posts`),a&&V.ConnectionHandler.getConnection(a,`PostComments_comments`)];for(let r of o){if(!r)continue;let i=V.ConnectionHandler.createEdge(e,r,t,`FeedEdge`);i.setValue(r===o[0]?n:null,`cursor`),V.ConnectionHandler.insertEdgeBefore(r,i)}r.replyTo&&J(e,r.replyTo,`comments`,1),r.repostOf&&J(e,r.repostOf,`reposts`,1)}function xt(e){return e.replyTo?`COMMENT`:e.repostOf?`REPOST`:`POST`}function St(){return[...crypto.getRandomValues(new Uint8Array(16))].map(e=>e.toString(16).padStart(2,`0`)).join(``)}var Ct=5e3,wt=200;function Tt({label:e,value:t,placeholder:n,autoFocus:r=!1,onChange:i,onSend:a}){let o=(0,z.useRef)(null),s=(0,z.useId)();(0,z.useEffect)(()=>{let e=o.current;e&&(e.style.height=`auto`,e.style.height=`${e.scrollHeight}px`)},[t]),(0,z.useEffect)(()=>{let e=o.current;r&&e&&(e.focus(),e.setSelectionRange(e.value.length,e.value.length))},[r]);let c=Ct-_e(t);return(0,W.jsxs)(`div`,{className:`text-field`,children:[(0,W.jsx)(`textarea`,{ref:o,rows:1,dir:`auto`,"aria-label":e,"aria-describedby":s,"aria-invalid":c<0,placeholder:n,value:t,onChange:e=>i(e.target.value),onKeyDown:e=>{e.key===`Enter`&&(e.ctrlKey||e.metaKey)&&(e.preventDefault(),a())}}),(0,W.jsx)(`span`,{id:s,className:c<0?`left left-over`:`left`,role:`status`,children:c<0?`${-c} too many`:c<=wt?`${c} left`:``})]})}function Et({draft:e,autoFocus:t=!1,onSent:n}){let{session:r}=j(),i=Ke(r.user?.id??``,e),[a,o]=qe(i),{account:s}=O(),c=N(),l=_e(a)<=5e3&&(a.trim()!==``||e.repostOf!==void 0),u=Dt(e),d=async()=>{if(!l)return;let t=Ye(i,a,St),{about:r,...o}=e;n?.(),await c(_t({...o,text:a},t,s?.id??null),`Not published`,()=>Ze(i,a))||Xe(i,a)};return(0,W.jsxs)(`form`,{className:`composer`,"aria-label":u.label,onSubmit:e=>{e.preventDefault(),d()},children:[s?(0,W.jsx)(R,{user:s}):(0,W.jsx)(`span`,{className:`avatar`}),(0,W.jsxs)(`div`,{className:`composer-main`,children:[e.about&&(0,W.jsxs)(`blockquote`,{className:`quoted`,children:[(0,W.jsxs)(`p`,{className:`post-by`,children:[(0,W.jsx)(`strong`,{dir:`auto`,children:e.about.name}),` `,(0,W.jsxs)(`span`,{className:`post-handle`,children:[`@`,e.about.handle]})]}),(0,W.jsx)(`p`,{className:`post-text composer-about`,dir:`auto`,children:e.about.text})]}),(0,W.jsx)(Tt,{label:u.label,placeholder:u.placeholder,value:a,onChange:o,onSend:()=>void d(),autoFocus:t}),(0,W.jsxs)(`div`,{className:`composer-foot`,children:[(0,W.jsx)(`small`,{className:`composer-hint`,children:`Ctrl + Enter sends`}),(0,W.jsx)(`button`,{type:`submit`,className:`button button-primary`,"aria-disabled":!l,children:u.button})]})]})]})}function Dt(e){return e.replyTo?{label:`Your reply`,placeholder:`Write a reply`,button:`Reply`}:e.repostOf?{label:`Your words on it`,placeholder:`Say something about it`,button:`Repost`}:{label:`New post`,placeholder:`What washed up today?`,button:`Post`}}function Ot(){let{session:e,expired:t,change:n}=j(),[r,i]=(0,z.useState)(``),[a,o]=(0,z.useState)(!1),s=C(location.search,location.href),c=async e=>{if(!a){o(!0),i(``);try{let t=await l(e);s&&t.admin?location.assign(s):n(t)}catch(e){i(kt(e)),o(!1)}}};return(0,W.jsxs)(`section`,{className:`sign-in`,"aria-labelledby":`sign-in-title`,"aria-busy":a,children:[(0,W.jsx)(`h2`,{id:`sign-in-title`,children:`Sign in`}),t&&(0,W.jsx)(`p`,{className:`note`,role:`status`,children:`Your sign-in has expired. What you were writing is kept for when you are back.`}),s&&(0,W.jsx)(`p`,{className:`note`,role:`status`,children:At(new URL(s,location.href).pathname,e)}),r&&(0,W.jsx)(`p`,{className:`note note-bad`,role:`alert`,children:r}),e.demoUsers.length>0&&(0,W.jsx)(jt,{users:e.demoUsers,onChoose:e=>void c({demoUserId:e})}),e.demoLink&&(0,W.jsx)(`p`,{className:`note`,children:`To sign in as a demo user, open the demo link that the server has printed where it was started.`}),(0,W.jsx)(Mt,{onToken:e=>void c({token:e})})]})}function kt(e){if(e instanceof T&&e.code!==`UNREACHABLE`)return`That did not work: ${f(e.message)}`;let{title:t,help:n}=p(e);return`That did not work: ${t.toLowerCase()}. ${n}`}function At(e,{user:t}){return t?`${e} is for administrators, and @${t.handle} is none. Sign in with the token of one.`:`${e} is for administrators: sign in as one to open it.`}function jt({users:e,onChoose:t}){return(0,W.jsxs)(W.Fragment,{children:[(0,W.jsx)(`h3`,{id:`demo-title`,children:`As a demo user`}),(0,W.jsx)(`p`,{className:`hint`,children:`Without a password. Only browsers that opened the demo link see this list.`}),(0,W.jsx)(`ul`,{className:`demo-users`,"aria-labelledby":`demo-title`,children:e.map(e=>(0,W.jsx)(`li`,{children:(0,W.jsxs)(`button`,{type:`button`,className:`demo-user`,onClick:()=>t(e.id),children:[(0,W.jsx)(R,{user:{databaseId:e.id,name:e.name||e.handle}}),(0,W.jsxs)(`span`,{className:`person-words`,children:[(0,W.jsx)(`strong`,{children:e.name||e.handle}),` `,(0,W.jsxs)(`span`,{children:[`@`,e.handle]})]})]})},e.id))})]})}function Mt({onToken:e}){let t=(0,z.useRef)(null);return(0,W.jsxs)(`form`,{className:`token-form`,onSubmit:n=>{n.preventDefault();let r=t.current?.value.trim();r&&e(r)},children:[(0,W.jsx)(`h3`,{children:(0,W.jsx)(`label`,{htmlFor:`token`,children:`With a token`})}),(0,W.jsxs)(`p`,{className:`hint`,id:`token-hint`,children:[`Make one with `,(0,W.jsx)(`code`,{children:`tideline token --user 1`}),`, and add `,(0,W.jsx)(`code`,{children:`--admin`}),` to open the task queues.`]}),(0,W.jsxs)(`div`,{className:`token-row`,children:[(0,W.jsx)(h,{name:`key`}),(0,W.jsx)(`input`,{ref:t,id:`token`,type:`password`,autoComplete:`off`,autoCapitalize:`off`,spellCheck:!1,required:!0,"aria-describedby":`token-hint`}),(0,W.jsx)(`button`,{type:`submit`,className:`button button-primary`,children:`Sign in`})]})]})}var Nt=[[`j`,`Next post`],[`k`,`Previous post`],[`Enter`,`Open the post`],[`n`,`Write a post`],[`r`,`Reply to the post`],[`l`,`Like the post`],[`f`,`Make the post a favorite`],[`.`,`Show new posts`],[`/`,`Search for people`],[`h`,`Go home`],[`?`,`Show this help`]];function Pt(e){if(e.defaultPrevented||e.ctrlKey||e.metaKey||e.altKey||document.querySelector(`dialog[open]`))return!1;let t=e.target;return t.closest(`dialog:not([open])`)!==null||!t.closest(`input, textarea, select, [contenteditable], [role=menu]`)}function Y(e,t){let n=(0,z.useRef)(t);(0,z.useEffect)(()=>{n.current=t}),(0,z.useEffect)(()=>{let t=t=>{t.key===e&&Pt(t)&&(t.preventDefault(),n.current())};return addEventListener(`keydown`,t),()=>removeEventListener(`keydown`,t)},[e])}function Ft(){return document.activeElement?.closest(`article[data-post]`)??null}function It(){return(0,W.jsx)(`dl`,{className:`keys`,children:Nt.map(([e,t])=>(0,W.jsxs)(`div`,{children:[(0,W.jsx)(`dt`,{children:(0,W.jsx)(`kbd`,{children:e})}),(0,W.jsx)(`dd`,{children:t})]},e))})}function Lt({children:e}){let[t,n]=(0,z.useState)(null),{session:r}=j(),i=Bt(r.user!==null),a=r.user!==null,o=(0,z.useCallback)(e=>n(t=>({...e,turn:(t?.turn??0)+1})),[]),s=(0,z.useMemo)(()=>{let e=e=>a?e():o({dialog:`sign-in`});return{signedIn:e,account:i,compose:t=>e(()=>o({dialog:`compose`,draft:t}))}},[a,i,o]),c=()=>n(e=>e?.turn===t?.turn?null:e);return zt(s,()=>o({dialog:`help`})),(0,W.jsxs)(ie,{value:s,children:[e,t?.dialog===`compose`&&(0,W.jsx)(G,{title:Rt(t.draft),onClose:c,children:(0,W.jsx)(Et,{draft:t.draft,autoFocus:!0,onSent:c})},t.turn),t?.dialog===`sign-in`&&(0,W.jsx)(G,{title:`You need to be signed in`,onClose:c,children:(0,W.jsx)(Ot,{})},t.turn),t?.dialog===`help`&&(0,W.jsx)(G,{title:`Keys`,onClose:c,children:(0,W.jsx)(It,{})},t.turn)]})}function Rt(e){return e.replyTo?`Reply`:e.repostOf?`Repost with words`:`New post`}function zt(e,t){let n=e=>Ft()?.querySelector(`[data-action=${e}]`)?.click();Y(`n`,()=>e.compose({text:``})),Y(`r`,()=>n(`reply`)),Y(`l`,()=>n(`like`)),Y(`f`,()=>n(`favorite`)),Y(`/`,()=>L(`/search`)),Y(`h`,()=>L(`/`)),Y(`?`,t)}function Bt(e){let t=(0,B.useRelayEnvironment)(),[n,r]=(0,z.useState)(null);return(0,z.useEffect)(()=>{if(!e)return;let{unsubscribe:n}=(0,B.fetchQuery)(t,He,{}).subscribe({next:e=>r(e?.viewer?.user??null),error:()=>void 0});return n},[t,e]),n}var X=`tideline-home`,Vt=Ht();function Ht(){let e=sessionStorage.getItem(X);return sessionStorage.removeItem(X),e?JSON.parse(e):null}function Ut(e,t){t===null?sessionStorage.removeItem(X):sessionStorage.setItem(X,JSON.stringify({place:e,after:t}))}function Wt(e){return Vt?.place===e?Vt.after:null}var Gt=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`before`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`last`}],t=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`before`,variableName:`before`},{kind:`Variable`,name:`first`,variableName:`first`},{kind:`Variable`,name:`last`,variableName:`last`}],n={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`HomeTimelinePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:t,kind:`FragmentSpread`,name:`HomeTimeline_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`HomeTimelinePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[n,r,i,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,r,s,c,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[s,c,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[n,a,o,i,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,s,c,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`HomeTimeline_homeFeed`,kind:`LinkedHandle`,name:`homeFeed`}],storageKey:null}]},params:{cacheID:`5ac7c32d2e341d4d42c9aeafd3146fb5`,id:null,metadata:{},name:`HomeTimelinePageQuery`,operationKind:`query`,text:`query HomeTimelinePageQuery(
  $after: String
  $before: String
  $first: Int
  $last: Int
) {
  viewer {
    ...HomeTimeline_viewer_pbnwq
  }
}

fragment HomeTimeline_viewer_pbnwq on Viewer {
  homeFeed(first: $first, after: $after, last: $last, before: $before) {
    edges {
      cursor
      node {
        id
        databaseId
        publishedAt
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      startCursor
      hasPreviousPage
      endCursor
      hasNextPage
    }
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();Gt.hash=`9634f1656418834cc9e489a74e53f0b0`;var Kt=(function(){var e=[`homeFeed`];return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`before`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`last`}],kind:`Fragment`,metadata:{connection:[{count:null,cursor:null,direction:`bidirectional`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:{count:`last`,cursor:`before`},path:e},fragmentPathInResult:[`viewer`],operation:Gt}},name:`HomeTimeline_viewer`,selections:[{alias:`homeFeed`,args:null,concreteType:`FeedConnection`,kind:`LinkedField`,name:`__HomeTimeline_homeFeed_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostCard_post`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null}],type:`Viewer`,abstractKey:null}})();Kt.hash=`9634f1656418834cc9e489a74e53f0b0`;var qt=(function(){var e={defaultValue:null,kind:`LocalArgument`,name:`after`},t={defaultValue:null,kind:`LocalArgument`,name:`first`},n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:[e,t],kind:`Fragment`,metadata:null,name:`homeQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`HomeTimeline_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[t,e],kind:`Operation`,name:`homeQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:n,concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,a,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,i,c,l,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,o,s,a,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,c,l,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`HomeTimeline_homeFeed`,kind:`LinkedHandle`,name:`homeFeed`}],storageKey:null}]},params:{cacheID:`e686395c0321fc681f45bd00985b1d5e`,id:null,metadata:{},name:`homeQuery`,operationKind:`query`,text:`query homeQuery(
  $first: Int!
  $after: String
) {
  viewer {
    ...HomeTimeline_viewer_2HEEH6
  }
}

fragment HomeTimeline_viewer_2HEEH6 on Viewer {
  homeFeed(first: $first, after: $after) {
    edges {
      cursor
      node {
        id
        databaseId
        publishedAt
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      startCursor
      hasPreviousPage
      endCursor
      hasNextPage
    }
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();qt.hash=`0aef914fe6768d6b3d0a9aee888e75ca`;var Jt=qt,Yt=3;function Xt({count:e,authors:t,busy:n,onClick:r}){return(0,z.useEffect)(()=>{document.title=e>0?`(${e}) Home · Tideline`:`Home · Tideline`},[e]),(0,W.jsxs)(`div`,{className:`pill-place`,children:[(0,W.jsx)(`span`,{className:`hidden`,role:`status`,children:e>0?we(e):``}),e>0&&(0,W.jsxs)(`button`,{type:`button`,className:`pill`,"aria-busy":n,onClick:r,children:[(0,W.jsx)(h,{name:`up`}),t.length>0&&(0,W.jsx)(`span`,{className:`pill-faces`,"aria-hidden":`true`,children:t.slice(0,Yt).map(e=>(0,W.jsx)(R,{user:e,size:`small`},e.databaseId))}),we(e)]})]})}function Zt(e,t,n){let r=n=>t.heights.get(e[n])??t.estimate,i=t.anchor?e.indexOf(t.anchor.key):-1,a=Math.max(i,0),o=i>=0?t.anchor.offset:0,s=a;for(let e=o;s>0&&e>-1*n;)e-=r(--s);let c=a;for(let t=o;c<e.length&&t<2*n;)t+=r(c++);let l=(e,t)=>{let n=0;for(let i=e;i<t;i++)n+=r(i);return n};return{start:s,end:c,before:l(0,s),after:l(c,e.length)}}var Qt=20,Z=new Map;function $t(e,t,n){let r=`${e} ${t}`,i=Z.get(r)??{heights:new Map,estimate:n,anchor:null,focused:null};Z.delete(r),Z.set(r,i);for(let e of Z.keys()){if(Z.size<=Qt)break;Z.delete(e)}return i}var en=6;function tn(e){let{items:t,keyOf:n,render:r,memory:i,moreAbove:a=!1,onNearTop:o,onNearEnd:s}=e,c=(0,z.useRef)(null),l=t.map(n),u=Zt(l,i,innerHeight),d=nn(c,{keys:l,range:u,memory:i,moreAbove:a});return rn(e.ref,c,l,i,d),an(c,i,e.returned??!1),(0,z.useEffect)(()=>{u.end>=l.length-en&&s?.(),u.start<=en&&o?.()}),(0,W.jsx)(`div`,{ref:c,className:`window-list`,role:`feed`,"aria-label":e.label,"aria-busy":e.busy??!1,onFocus:()=>i.focused=cn(c.current)??null,style:{paddingTop:u.before,paddingBottom:u.after},children:t.slice(u.start,u.end).map((e,t)=>(0,W.jsx)(`div`,{"data-key":l[u.start+t],className:`window-item`,children:r(e,u.start+t)},l[u.start+t]))})}function nn(e,t){let[,n]=(0,z.useReducer)(e=>e+1,0),{memory:r}=t,i=(0,z.useRef)(t);return(0,z.useLayoutEffect)(()=>{i.current=t,on(e.current,r)}),(0,z.useEffect)(()=>{let t=()=>{if(!e.current)return;let{keys:t,range:a,moreAbove:o}=i.current;r.anchor=sn(e.current,t,r,o);let s=Zt(t,r,innerHeight);(s.start!==a.start||s.end!==a.end)&&n()},a=new ResizeObserver(()=>on(e.current,r));return e.current&&a.observe(e.current),addEventListener(`scroll`,t,{passive:!0}),addEventListener(`resize`,t),()=>{a.disconnect(),removeEventListener(`scroll`,t),removeEventListener(`resize`,t)}},[e,r]),n}function rn(e,t,n,r,i){let a=(0,z.useRef)(null);(0,z.useLayoutEffect)(()=>{a.current!==null&&un(t.current,a.current)&&(a.current=null)}),(0,z.useImperativeHandle)(e,()=>({move(e){let o=n.indexOf(cn(t.current)??``),s=o>=0?o+e:Math.max(0,n.indexOf(r.anchor?.key??``)),c=n[Math.min(Math.max(s,0),n.length-1)];c===void 0||un(t.current,c)||(a.current=c,r.anchor={key:c,offset:innerHeight/3},i())},toTop(){r.anchor=null,i(),scrollTo({top:0})}}))}function an(e,t,n){let r=(0,z.useRef)(!0);(0,z.useLayoutEffect)(()=>{if(!r.current)return;r.current=!1;let i=document.activeElement?.closest(`main *, dialog, input, button, a`);n&&!i&&t.focused!==null&&ln(e.current,t.focused)?.focus({preventScroll:!0})})}var Q=e=>[...e.children];function on(e,t){if(!e)return;for(let n of Q(e)){let{key:e}=n.dataset,{height:r}=n.getBoundingClientRect();e!==void 0&&r>0&&t.heights.set(e,r)}let{anchor:n}=t,r=n&&Q(e).find(e=>e.dataset.key===n.key);if(!r)return;let i=r.getBoundingClientRect().top-n.offset;Math.abs(i)>=1&&scrollBy({top:i,behavior:`instant`})}function sn(e,t,n,r){let{top:i}=e.getBoundingClientRect();if(i>=0&&!r)return null;for(let t of Q(e)){let e=t.getBoundingClientRect(),{key:n}=t.dataset;if(e.bottom>0&&e.top<innerHeight&&n!==void 0)return{key:n,offset:e.top}}let a=i;for(let e of t){let t=n.heights.get(e)??n.estimate;if(a+t>0)return{key:e,offset:a};a+=t}return null}function cn(e){let t=document.activeElement?.closest(`.window-item`);return t&&e?.contains(t)?t.dataset.key:void 0}function ln(e,t){return(e&&Q(e).find(e=>e.dataset.key===t))?.querySelector(`article`)??null}function un(e,t){let n=ln(e,t);return n?(n.focus({preventScroll:!0}),n.scrollIntoView({block:`nearest`}),!0):!1}var dn=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},n={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostCard_post`,selections:[e,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[e,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},t,n],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[e,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[t,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[e,{args:null,kind:`FragmentSpread`,name:`PostCard_quoted`}],storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostActions_post`},{args:null,kind:`FragmentSpread`,name:`PostMenu_post`}],type:`Post`,abstractKey:null}})();dn.hash=`aeae1b40a2a58bc4aeec71e73a9d06d1`;var fn={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostCard_quoted`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null}],type:`Post`,abstractKey:null};fn.hash=`a62375c7d23d08bbedf7eef86aafc2a1`;function pn({text:e}){return S(e).map((e,t)=>{switch(e.kind){case`link`:return(0,W.jsx)(`a`,{href:e.href,target:`_blank`,rel:`noreferrer nofollow`,children:oe(e.href)+(e.text.length>40?`/…`:e.text.replace(/^https?:\/\/[^/]+/,``))},t);case`mention`:return(0,W.jsx)(F,{href:E(e.handle),children:e.text},t);default:return e.text}})}function mn({postId:e,text:t,onDone:n}){let[r,i]=(0,z.useState)(t),a=N(),o=()=>{_e(r)>5e3||(n(),r!==t&&a(ft(e,r,new Date().toISOString()),`Not changed`))};return(0,W.jsxs)(`form`,{className:`edit`,onSubmit:e=>{e.preventDefault(),o()},onKeyDown:e=>e.key===`Escape`&&n(),children:[(0,W.jsx)(Tt,{label:`Text of the post`,value:r,onChange:i,onSend:o,autoFocus:!0}),(0,W.jsxs)(`div`,{className:`edit-foot`,children:[(0,W.jsx)(`button`,{type:`button`,className:`button button-small`,onClick:n,children:`Cancel`}),(0,W.jsx)(`button`,{type:`submit`,className:`button button-small button-primary`,children:`Save`})]})]})}var hn={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostActions_post`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null}],type:`Post`,abstractKey:null};hn.hash=`9de827b1f6d2fdfdb6dd61a461e0cc51`;var gn=80;function _n(e){let[t,n]=(0,z.useState)(!1),r=(0,z.useRef)(null),i=(0,z.useRef)(null),a=(0,z.useRef)(null);(0,z.useEffect)(()=>{if(!t)return;let e=a.current;e&&e.getBoundingClientRect().bottom>innerHeight-gn&&e.classList.add(`menu-up`),e?.querySelector(`[role=menuitem]`)?.focus({preventScroll:!0});let i=e=>{r.current?.contains(e.target)||n(!1)};return addEventListener(`pointerdown`,i),()=>removeEventListener(`pointerdown`,i)},[t]);let o=()=>{n(!1),i.current?.focus()};return(0,W.jsxs)(`div`,{ref:r,className:`menu-box`,children:[(0,W.jsx)(`button`,{ref:i,type:`button`,className:e.className??`icon-button`,"aria-haspopup":`menu`,"aria-expanded":t,"aria-label":e.label,onClick:()=>n(!t),children:e.children}),t&&(0,W.jsx)(`div`,{ref:a,className:`menu`,role:`menu`,"aria-label":e.label,tabIndex:-1,onKeyDown:e=>vn(e,a.current,o),children:e.items.map(e=>(0,W.jsxs)(`button`,{type:`button`,role:`menuitem`,tabIndex:-1,className:e.danger?`menu-item menu-danger`:`menu-item`,onClick:()=>{o(),e.run()},children:[(0,W.jsx)(`span`,{children:e.label}),e.hint&&(0,W.jsx)(`small`,{children:e.hint})]},e.label))})]})}function vn(e,t,n){let r=[...t?.querySelectorAll(`[role=menuitem]`)??[]],i=r.indexOf(document.activeElement),a={ArrowDown:i+1,ArrowUp:i-1,Home:0,End:r.length-1}[e.key];if(a!==void 0)r.at(a%r.length)?.focus();else if(e.key===`Escape`||e.key===`Tab`)n();else return;e.preventDefault(),e.stopPropagation()}function yn({post:e}){let t=(0,B.useFragment)(hn,e),{compose:n,signedIn:r,account:i}=O(),a=N(),o={name:t.author.name,handle:t.author.handle,text:t.text},{counters:s}=t;return(0,W.jsxs)(`div`,{className:`actions`,role:`group`,"aria-label":`Actions`,children:[(0,W.jsxs)(`button`,{type:`button`,className:`action`,"data-action":`reply`,"aria-label":`Reply, ${x(s.comments,`reply`,`replies`)}`,onClick:()=>n({text:``,replyTo:t.id,about:o}),children:[(0,W.jsx)(h,{name:`reply`}),` `,(0,W.jsx)(xn,{of:s.comments})]}),(0,W.jsxs)(_n,{label:`Repost, ${x(s.reposts,`repost`)}`,className:`action`,items:[{label:`Repost`,hint:`Show it to your followers`,run:()=>r(()=>void a(_t({text:``,repostOf:t.id},St(),i?.id??null),`Not reposted`))},{label:`Repost with words`,hint:`Say something about it`,run:()=>n({text:``,repostOf:t.id,about:o})}],children:[(0,W.jsx)(h,{name:`repost`}),` `,(0,W.jsx)(xn,{of:s.reposts})]}),(0,W.jsx)(bn,{name:`like`,icon:`like`,label:`Like`,on:t.viewerHasLiked,count:s.likes,one:`like`,onClick:()=>r(()=>void a(ct(t),t.viewerHasLiked?`Still liked`:`Not liked`))}),(0,W.jsx)(bn,{name:`favorite`,icon:`favorite`,label:`Favorite`,on:t.viewerHasFavorited,count:s.favorites,one:`favorite`,onClick:()=>r(()=>void a(dt(t),t.viewerHasFavorited?`Still a favorite`:`Not made a favorite`))})]})}function bn({name:e,icon:t,label:n,on:r,count:i,one:a,onClick:o}){return(0,W.jsxs)(`button`,{type:`button`,className:`action action-${e}`,"data-action":e,"aria-pressed":r,"aria-label":`${n}, ${x(i,a)}`,onClick:o,children:[(0,W.jsx)(h,{name:t,filled:r}),` `,(0,W.jsx)(xn,{of:i})]})}function xn({of:e}){return(0,W.jsx)(`span`,{className:`count`,children:e>0?s(e):``})}var Sn=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t=[e];return{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostMenu_post`,selections:[e,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`useRelations_user`}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:t,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:t,storageKey:null}],type:`Post`,abstractKey:null}})();Sn.hash=`5c2bf0e4cc86ef3b49a04a38ada31d85`;var Cn={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`useRelations_user`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],type:`User`,abstractKey:null};Cn.hash=`cc6d4c9048100559422c455c97249aad`;var wn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`followUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationFollowMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationFollowMutation`,selections:t},params:{cacheID:`d82025c4af432cf7dfdc84680b4d2ac9`,id:null,metadata:{},name:`relationFollowMutation`,operationKind:`mutation`,text:`mutation relationFollowMutation(
  $input: UserIdInput!
) {
  payload: followUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();wn.hash=`9d54221965ca0288f1a84647c72d4364`;var Tn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unfollowUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnfollowMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnfollowMutation`,selections:t},params:{cacheID:`ba78124df60748a9a0aea5b3cf163f5c`,id:null,metadata:{},name:`relationUnfollowMutation`,operationKind:`mutation`,text:`mutation relationUnfollowMutation(
  $input: UserIdInput!
) {
  payload: unfollowUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();Tn.hash=`de1665415316fec067867515ef62479f`;var En=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`muteUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationMuteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationMuteMutation`,selections:t},params:{cacheID:`359baa413f8d2557a9667bd9310b2704`,id:null,metadata:{},name:`relationMuteMutation`,operationKind:`mutation`,text:`mutation relationMuteMutation(
  $input: UserIdInput!
) {
  payload: muteUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();En.hash=`c53e2783a4b69296cf3d3947b3e96edb`;var Dn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unmuteUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnmuteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnmuteMutation`,selections:t},params:{cacheID:`8b1c8b99a58e93446535564b835a07c0`,id:null,metadata:{},name:`relationUnmuteMutation`,operationKind:`mutation`,text:`mutation relationUnmuteMutation(
  $input: UserIdInput!
) {
  payload: unmuteUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();Dn.hash=`a4954af8767c71a8291b3d2800807af9`;var On=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`hideFromUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationHideMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationHideMutation`,selections:t},params:{cacheID:`82c6b935c43f2ace1b8da2f7b38f813e`,id:null,metadata:{},name:`relationHideMutation`,operationKind:`mutation`,text:`mutation relationHideMutation(
  $input: UserIdInput!
) {
  payload: hideFromUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();On.hash=`113eb6f87f516bee3c420d581a14ff56`;var kn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unhideFromUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnhideMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnhideMutation`,selections:t},params:{cacheID:`89b60f9f69aabdcb2dee807c1a760671`,id:null,metadata:{},name:`relationUnhideMutation`,operationKind:`mutation`,text:`mutation relationUnhideMutation(
  $input: UserIdInput!
) {
  payload: unhideFromUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();kn.hash=`65ca586a2bba70c98385b9d12c90604f`;var An=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`blockUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationBlockMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationBlockMutation`,selections:t},params:{cacheID:`ad4ede9c1d56aff8892d721c2da7b0d5`,id:null,metadata:{},name:`relationBlockMutation`,operationKind:`mutation`,text:`mutation relationBlockMutation(
  $input: UserIdInput!
) {
  payload: blockUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();An.hash=`83c739d2c1821efd7c7dbab04b43e870`;var jn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unblockUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnblockMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnblockMutation`,selections:t},params:{cacheID:`1caa1bd1927fac962e99b7c4133148de`,id:null,metadata:{},name:`relationUnblockMutation`,operationKind:`mutation`,text:`mutation relationUnblockMutation(
  $input: UserIdInput!
) {
  payload: unblockUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();jn.hash=`dd97e14971391fb593847eb855f28a76`;var Mn={follow:`viewerFollows`,mute:`viewerMutes`,hide:`viewerHidesFrom`,block:`viewerBlocks`},Nn={follow:[wn,Tn],mute:[En,Dn],hide:[On,kn],block:[An,jn]};function Pn(e,t){let n=!t[Mn[e]];return{mutation:Nn[e][+!n],variables:{input:{userId:t.id}},optimisticUpdater:r=>{let i=r.get(t.id);i?.setValue(n,Mn[e]),e===`follow`&&i?.getLinkedRecord(`counters`)?.setValue(t.counters.followers+(n?1:-1),`followers`),Fn(e,n)&&In(r,t.id)},updater:r=>{e===`block`&&r.get(t.id)?.invalidateRecord(),Fn(e,n)?In(r,t.id):Ln(r)}}}function Fn(e,t){return e===`follow`?!t:e!==`hide`&&t}function In(e,t){let n=ht(e),r=n?.getLinkedRecords(`edges`);if(!n||!r)return;let i=r.filter(e=>{let n=e?.getLinkedRecord(`node`);return![n,n?.getLinkedRecord(`repostOf`)].map(e=>e?.getLinkedRecord(`author`)?.getDataID()).includes(t)});n.setLinkedRecords(i,`edges`)}function Ln(e){e.get(V.ROOT_ID)?.getLinkedRecord(`viewer`)?.invalidateRecord()}var Rn={follow:{on:`Follow`,off:`Unfollow`,hint:`Posts stand in your home feed`,done:`You follow`,undone:`You no longer follow`},mute:{on:`Mute`,off:`Unmute`,hint:`Keeps posts out of your home feed; nobody is told`,done:`Muted`,undone:`No longer muted`},hide:{on:`Hide from`,off:`Stop hiding from`,hint:`Shows your posts to everyone else`,done:`Your posts are hidden from`,undone:`Your posts are shown again to`},block:{on:`Block`,off:`Unblock`,hint:`Neither sees the other’s posts`,done:`Blocked`,undone:`No longer blocked`,danger:!0}};function zn(e){let t=(0,B.useFragment)(Cn,e),n=N(),r=pe();return Object.keys(Rn).map(e=>{let i=Rn[e],a=t[Mn[e]],o=`${a?i.off:i.on} @${t.handle}`,s=async()=>{await n(Pn(e,t),`Not done: ${o.toLowerCase()}`)&&r.show({tone:`good`,title:`${a?i.undone:i.done} @${t.handle}`})};return{relation:e,on:a,label:o,run:()=>void s(),...!a&&{hint:i.hint},...i.danger&&!a&&{danger:!0}}})}function Bn({post:e,own:t,alone:n,onEdit:r}){let i=(0,B.useFragment)(Sn,e),[a,o]=(0,z.useState)(!1),{signedIn:s}=O(),c=pe(),l=N(),u=zn(i.author),d=()=>{let e=new URL(k(i.id),location.href).href;navigator.clipboard?.writeText(e).then(()=>c.show({tone:`good`,title:`Link copied`}),()=>c.show({tone:`bad`,title:`The link could not be copied`,text:e}))},f=async()=>{let e=pt({id:i.id,replyTo:i.replyTo?.id??null,repostOf:i.repostOf?.id??null});n&&ue(`/`),await l(e,`Not deleted`)&&c.show({tone:`good`,title:`Deleted`})},p=[...t?[{label:`Edit`,run:r},{label:`Delete`,danger:!0,run:()=>o(!0)}]:u.map(e=>({...e,run:()=>s(e.run)})),{label:`Copy link`,run:d}];return(0,W.jsxs)(W.Fragment,{children:[(0,W.jsx)(_n,{label:`More on this post by @${i.author.handle}`,items:p,children:(0,W.jsx)(h,{name:`more`})}),a&&(0,W.jsx)(Ue,{title:`Delete this post?`,text:`It leaves every feed at once, and cannot be brought back.`,yes:`Delete`,onYes:()=>void f(),onClose:()=>o(!1)})]})}function Vn({post:e,position:t,total:n,alone:r=!1}){let i=(0,B.useFragment)(dn,e),{session:a}=j(),[o,s]=(0,z.useState)(!1),c=vt(i.id),l=a.user?.id===i.author.databaseId,u=()=>!r&&!c&&L(k(i.id)),d=`${i.id}-author ${i.id}-text`;return(0,W.jsxs)(`article`,{className:`post${r?` post-alone`:``}${c?` post-pending`:``}`,tabIndex:0,"data-post":i.id,"aria-labelledby":d,"aria-posinset":t,"aria-setsize":n,"aria-busy":c,onClick:e=>Un(e)&&u(),onKeyDown:e=>e.key===`Enter`&&e.target===e.currentTarget&&u(),children:[(0,W.jsx)(F,{href:E(i.author.handle),className:`post-face`,tabIndex:-1,"aria-hidden":`true`,children:(0,W.jsx)(R,{user:i.author})}),(0,W.jsxs)(`div`,{className:`post-main`,children:[(0,W.jsx)(Hn,{post:i,alone:r,pending:c}),(0,W.jsxs)(`div`,{id:`${i.id}-text`,children:[o?(0,W.jsx)(mn,{postId:i.id,text:i.text,onDone:()=>s(!1)}):(0,W.jsx)(Gn,{of:i.text}),(0,W.jsx)(qn,{urls:i.media}),i.repostOf?(0,W.jsx)(Wn,{post:i.repostOf}):i.kind===`REPOST`&&(0,W.jsx)(Kn,{})]}),!c&&(0,W.jsxs)(`footer`,{className:`post-foot`,children:[(0,W.jsx)(yn,{post:i}),(0,W.jsx)(Bn,{post:i,own:l,alone:r,onEdit:()=>s(!0)})]})]})]})}function Hn({post:e,alone:t,pending:n}){let{author:r}=e;return(0,W.jsxs)(`header`,{className:`post-head`,children:[(0,W.jsxs)(`span`,{id:`${e.id}-author`,className:`post-by`,children:[(0,W.jsx)(F,{href:E(r.handle),className:`post-name`,dir:`auto`,children:r.name}),` `,(0,W.jsxs)(`span`,{className:`post-handle`,children:[`@`,r.handle]}),e.kind===`REPOST`&&(0,W.jsxs)(`span`,{className:`post-note`,children:[` `,(0,W.jsx)(h,{name:`repost`}),` reposted`]})]}),(0,W.jsxs)(`span`,{className:`post-time`,children:[n?`Sending…`:(0,W.jsx)(F,{href:k(e.id),className:`quiet-link`,children:(0,W.jsx)(d,{moment:e.publishedAt})}),e.editedAt&&(0,W.jsx)(`span`,{title:`Edited ${new Date(e.editedAt).toLocaleString()}`,children:` · edited`})]}),e.replyTo&&!t&&(0,W.jsxs)(F,{href:k(e.replyTo.id),className:`post-context quiet-link`,children:[(0,W.jsx)(h,{name:`reply`}),` in answer to @`,e.replyTo.author.handle]})]})}function Un(e){return!e.target.closest(`a, button, input, textarea, [role=menu], dialog`)&&!getSelection()?.toString()}function Wn({post:e}){let t=(0,B.useFragment)(fn,e);return(0,W.jsxs)(`div`,{className:`quoted`,children:[(0,W.jsxs)(`p`,{className:`post-by`,children:[(0,W.jsx)(R,{user:t.author,size:`small`}),(0,W.jsx)(F,{href:E(t.author.handle),className:`post-name`,dir:`auto`,children:t.author.name}),` `,(0,W.jsxs)(`span`,{className:`post-handle`,children:[`@`,t.author.handle]}),(0,W.jsx)(F,{href:k(t.id),className:`quiet-link post-time`,children:(0,W.jsx)(d,{moment:t.publishedAt})})]}),(0,W.jsx)(Gn,{of:t.text}),(0,W.jsx)(qn,{urls:t.media})]})}function Gn({of:e}){return e&&(0,W.jsx)(`p`,{className:`post-text`,dir:`auto`,children:(0,W.jsx)(pn,{text:e})})}function Kn(){return(0,W.jsx)(`p`,{className:`quoted quoted-gone`,children:`What was shown here is not there any more.`})}function qn({urls:e}){return e.length?(0,W.jsx)(`ul`,{className:`media`,"aria-label":`Media`,children:e.map((e,t)=>(0,W.jsx)(`li`,{children:(0,W.jsxs)(`a`,{href:e,target:`_blank`,rel:`noreferrer nofollow`,children:[(0,W.jsx)(h,{name:`picture`}),` `,(0,W.jsx)(`span`,{children:oe(e)}),(0,W.jsx)(`span`,{className:`hidden`,children:`opens elsewhere`})]})},t))}):null}var Jn=150;function Yn(e){let{edges:t,hasNext:n,loadNext:r,loadingNext:i,above:a,line:o}=e,[s,c]=(0,z.useState)(null),[l]=(0,z.useState)(()=>{let n=$t(D.get().key,e.label,Jn);return a?.more&&t[0]&&(n.anchor??={key:t[0].node.id,offset:0}),n}),[u]=(0,z.useState)(()=>D.get().returned),d=()=>{!i&&n&&(c(null),r(20,{onComplete:c}))};return!t.length&&!n?e.empty:(0,W.jsxs)(W.Fragment,{children:[(0,W.jsx)(tn,{ref:e.ref,label:e.label,items:t,keyOf:e=>e.node.id,memory:l,returned:u,busy:i||(a?.loading??!1),moreAbove:a?.more??!1,onNearEnd:()=>s||d(),...a&&{onNearTop:()=>a.more&&a.load()},render:(e,r)=>(0,W.jsxs)(W.Fragment,{children:[o&&o.before===e.node.id&&r>0&&(0,W.jsx)(Xn,{text:o.text}),(0,W.jsx)(Vn,{post:e.node,position:r+1,total:n?-1:t.length})]})}),(0,W.jsx)(v,{loading:i,failure:s,hasMore:n,retry:d,end:e.end})]})}function Xn({text:e}){return(0,W.jsxs)(`div`,{className:`tide-line`,role:`separator`,"aria-label":e,children:[(0,W.jsx)(`svg`,{viewBox:`0 0 600 14`,preserveAspectRatio:`none`,"aria-hidden":`true`,children:(0,W.jsx)(`path`,{d:`M0 7c12.5-8 25-8 37.5 0s25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0`})}),(0,W.jsx)(`span`,{"aria-hidden":`true`,children:e})]})}var Zn=M({posts:[],counted:0});function Qn(e,t,n){let r=(0,B.useRelayEnvironment)(),i=he(),{posts:a,counted:o}=P(i?.state??Zn),s=(0,z.useMemo)(()=>{let n=e.map(e=>({...e.node,cursor:e.cursor}));return a.map(e=>({post:e,at:Se(e,n,t)}))},[a,e,t]);(0,z.useEffect)(()=>{i?.setTop(t),n&&i?.count()},[i,t,n]),(0,z.useEffect)(()=>{let e=s.filter(({at:e})=>e!==`above`);if(e.length&&i){for(let{post:t,at:n}of e)$n(r,t,n);i.settle(new Set(e.map(({post:e})=>e.id)))}},[r,i,s]);let c=s.filter(({at:e})=>e===`above`).map(({post:e})=>e),l=[...new Map(c.reverse().map(({author:e})=>[e.databaseId,e])).values()];return{count:Ce(c.length,o),authors:l}}function $n(e,t,n){typeof n!=`string`&&(0,B.commitLocalUpdate)(e,e=>{let r=ht(e),i=e.get(t.id);if(!r||!i)return;let a=V.ConnectionHandler.createEdge(e,r,i,`FeedEdge`);a.setValue(t.cursor,`cursor`),V.ConnectionHandler.insertEdgeBefore(r,a,n.before)})}function er(e){let t=(0,z.useRef)(e);(0,z.useEffect)(()=>{t.current=e}),(0,z.useEffect)(()=>{let e=()=>{let e=tr(),n=t.current.findIndex(t=>t.node.id===e);Ut(D.get().key,n>0?t.current[n-1]?.cursor??null:null)};return addEventListener(`pagehide`,e),()=>removeEventListener(`pagehide`,e)},[])}function tr(){return[...document.querySelectorAll(`.window-item`)].find(e=>e.getBoundingClientRect().bottom>0)?.dataset.key}var nr=60;function rr({viewer:e}){let t=(0,B.usePaginationFragment)(Kt,e),{edges:n,pageInfo:r}=t.data.homeFeed,i=(0,z.useMemo)(()=>n.filter(e=>e.node!=null),[n]),a=(0,z.useRef)(null),o=Qn(i,r.startCursor??null,r.hasPreviousPage),{line:s,toNewest:c,busy:l}=ir({pages:t,pageInfo:r,list:a,first:i[0]?.node.id??null,missing:o.count});er(i),Y(`.`,c),Y(`j`,()=>a.current?.move(1)),Y(`k`,()=>a.current?.move(-1));let{loadPrevious:u,isLoadingPrevious:d}=t,[f,p]=(0,z.useState)(!1),m=(0,z.useCallback)(()=>{d||f||u(20,{onComplete:e=>p(e!==null)})},[u,d,f]);return(0,W.jsxs)(W.Fragment,{children:[(0,W.jsx)(Xt,{count:o.count,authors:o.authors,busy:l,onClick:c}),(0,W.jsx)(Yn,{ref:a,label:`Home feed`,edges:i,hasNext:t.hasNext,loadNext:t.loadNext,loadingNext:t.isLoadingNext,above:{more:r.hasPreviousPage,loading:d,load:m},line:s?{before:s,text:`New down to here`}:null,end:`You have reached the shore. There is nothing older.`,empty:(0,W.jsxs)(A,{icon:`home`,title:`Your feed is calm`,children:[(0,W.jsx)(`p`,{children:`It fills with the posts of people you follow.`}),(0,W.jsx)(F,{className:`button button-primary`,href:`/search`,children:`Find people to follow`})]})})]})}function ir({pages:e,pageInfo:t,list:n,first:r,missing:i}){let a=(0,B.useRelayEnvironment)(),o=he(),s=pe(),[c,l]=(0,z.useState)(null),[u,d]=(0,z.useState)(!1),{loadPrevious:f,isLoadingPrevious:m}=e,{hasPreviousPage:h,startCursor:g}=t,_=async()=>{if(u)return;d(!0);let e=o?.announced()??[];try{g&&!h&&!m&&i<=nr?await new Promise((e,t)=>f(100,{onComplete:n=>n?t(n):e()})):await(0,B.fetchQuery)(a,Jt,{first:20,after:null},{fetchPolicy:`network-only`}).toPromise(),o?.read(e),i>0&&l(r),n.current?.toTop()}catch(e){let t=p(e),{requestId:n,away:r}=t;s.show({tone:`bad`,title:`The new posts are not shown`,text:te(t),requestId:n,away:r,action:{label:`Try again`,run:()=>void _()}})}finally{d(!1)}},v=(0,z.useRef)(_);return(0,z.useEffect)(()=>{v.current=_}),{line:c,busy:u,toNewest:(0,z.useCallback)(()=>void v.current(),[])}}function ar({attempt:e}){let[t]=(0,z.useState)(()=>D.get().key),n=e===0?Wt(t):null,{viewer:r}=(0,B.useLazyLoadQuery)(Jt,{first:20,after:n},{fetchKey:e});return(0,W.jsxs)(W.Fragment,{children:[(0,W.jsx)(`h1`,{className:`hidden`,tabIndex:-1,children:`Home`}),(0,W.jsx)(`div`,{className:`home-composer`,children:(0,W.jsx)(Et,{draft:{text:``}})}),r&&(0,W.jsx)(rr,{viewer:r})]})}var or=(function(){var e={defaultValue:null,kind:`LocalArgument`,name:`first`},t={defaultValue:null,kind:`LocalArgument`,name:`id`},n=[{kind:`Variable`,name:`id`,variableName:`id`}],r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},o={args:null,kind:`FragmentSpread`,name:`PostCard_post`},s=[{kind:`Variable`,name:`first`,variableName:`first`}],c={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},p={alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},m={alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null},h={alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},g={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},_={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},v={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},y={alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},b={alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,l,a,i,u,d,f,p,m],storageKey:null},ee={alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[a,i,r],storageKey:null}],storageKey:null},x={alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,g,_,v,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,a,i,r],storageKey:null}],storageKey:null},S={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},C={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},w={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:[e,t],kind:`Fragment`,metadata:null,name:`PostPageQuery`,selections:[{alias:null,args:n,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{fragment:{kind:`InlineFragment`,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,a],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,o],storageKey:null},o,{args:s,kind:`FragmentSpread`,name:`PostComments_post`}],type:`Post`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`post`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[t,e],kind:`Operation`,name:`PostPageQuery`,selections:[{alias:null,args:n,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[c,r,{kind:`InlineFragment`,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,a,r,l,u,d,f,p,m],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,h,g,_,v,y,b,ee,x,S,C,w],storageKey:null},h,g,_,v,y,x,S,C,w,{alias:null,args:s,concreteType:`FeedConnection`,kind:`LinkedField`,name:`comments`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,h,g,_,v,y,b,ee,x,S,C,w,c],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:s,filters:null,handle:`connection`,key:`PostComments_comments`,kind:`LinkedHandle`,name:`comments`}],type:`Post`,abstractKey:null}],storageKey:null}]},params:{cacheID:`e33330cd7fc639fb1de04e2c9ce86c19`,id:null,metadata:{},name:`PostPageQuery`,operationKind:`query`,text:`query PostPageQuery(
  $id: ID!
  $first: Int!
) {
  node(id: $id) {
    __typename
    ... on Post {
      id
      author {
        name
        handle
        id
      }
      replyTo {
        id
        ...PostCard_post
      }
      ...PostCard_post
      ...PostComments_post_3ASum4
    }
    id
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostComments_post_3ASum4 on Post {
  comments(first: $first) {
    edges {
      cursor
      node {
        id
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  id
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();or.hash=`8d43625e4928efb1f23a574c41d4f7ff`;var sr=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`id`}],t=[{kind:`Variable`,name:`id`,variableName:`id`}],n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostCommentsPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`PostComments_post`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostCommentsPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,{kind:`InlineFragment`,selections:[{alias:null,args:n,concreteType:`FeedConnection`,kind:`LinkedField`,name:`comments`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[i,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,c,l,u,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[i,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,u,i],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[i,a,o,s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,u,i],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`PostComments_comments`,kind:`LinkedHandle`,name:`comments`}],type:`Post`,abstractKey:null}],storageKey:null}]},params:{cacheID:`581eb826f66d100e9f7ee934ead8ab15`,id:null,metadata:{},name:`PostCommentsPageQuery`,operationKind:`query`,text:`query PostCommentsPageQuery(
  $after: String
  $first: Int
  $id: ID!
) {
  node(id: $id) {
    __typename
    ...PostComments_post_2HEEH6
    id
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostComments_post_2HEEH6 on Post {
  comments(first: $first, after: $after) {
    edges {
      cursor
      node {
        id
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  id
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();sr.hash=`3b9bf2976104d5471d7847fa8315b561`;var cr=(function(){var e=[`comments`],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[`node`],operation:sr,identifierInfo:{identifierField:`id`,identifierQueryVariableName:`id`}}},name:`PostComments_post`,selections:[{alias:`comments`,args:null,concreteType:`FeedConnection`,kind:`LinkedField`,name:`__PostComments_comments_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,{args:null,kind:`FragmentSpread`,name:`PostCard_post`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},t],type:`Post`,abstractKey:null}})();cr.hash=`3b9bf2976104d5471d7847fa8315b561`;function lr({post:e}){let{data:t,hasNext:n,loadNext:r,isLoadingNext:i}=(0,B.usePaginationFragment)(cr,e);return(0,W.jsx)(`section`,{"aria-label":`Replies`,children:(0,W.jsx)(Yn,{label:`Replies to the post`,edges:t.comments.edges.filter(e=>e.node!=null),hasNext:n,loadNext:r,loadingNext:i,empty:(0,W.jsx)(`p`,{className:`list-end`,children:`Nobody has replied yet.`}),end:`Those are all replies.`})})}function ur({id:e,attempt:t}){let{node:n}=(0,B.useLazyLoadQuery)(or,{id:e,first:20},{fetchKey:t,fetchPolicy:`store-and-network`}),{session:r}=j(),i=n?.post;return i?(0,W.jsxs)(W.Fragment,{children:[(0,W.jsx)(I,{title:`Post by ${i.author.name}`,back:!0}),i.replyTo&&(0,W.jsx)(`div`,{className:`thread-parent`,children:(0,W.jsx)(Vn,{post:i.replyTo})}),(0,W.jsx)(Vn,{post:i,alone:!0}),r.user&&(0,W.jsx)(`div`,{className:`home-composer`,children:(0,W.jsx)(Et,{draft:{text:``,replyTo:i.id}},i.id)}),(0,W.jsx)(lr,{post:i})]}):(0,W.jsxs)(W.Fragment,{children:[(0,W.jsx)(I,{title:`Post`,back:!0}),(0,W.jsx)(A,{icon:`reply`,title:`There is no such post`,children:(0,W.jsx)(`p`,{children:`It was deleted, or it is not shown to you.`})})]})}function dr({label:e=`For developers`}){return(0,W.jsxs)(`nav`,{className:`server-links`,"aria-label":e,children:[(0,W.jsx)(`a`,{href:`/graphiql`,children:`GraphiQL`}),(0,W.jsx)(`a`,{href:`/schema.graphql`,children:`Schema`}),(0,W.jsx)(`a`,{href:`/tasks`,children:`Task queues`}),(0,W.jsx)(`a`,{href:`/healthz`,children:`Health`})]})}function fr(){return(0,z.useEffect)(()=>{document.title=`Tideline`},[]),(0,W.jsxs)(`div`,{className:`welcome`,children:[(0,W.jsxs)(`div`,{className:`welcome-words`,children:[(0,W.jsx)(re,{}),(0,W.jsx)(`h1`,{tabIndex:-1,children:`Tideline`}),(0,W.jsx)(`p`,{className:`lead`,children:`Everything the people you follow have written. In order, and all of it.`}),(0,W.jsx)(dr,{})]}),(0,W.jsx)(Ot,{}),(0,W.jsx)(pr,{})]})}function pr(){return(0,W.jsxs)(`svg`,{className:`sea`,viewBox:`0 0 1200 220`,preserveAspectRatio:`none`,"aria-hidden":`true`,focusable:`false`,children:[(0,W.jsx)(`path`,{d:`M0 70c100-60 200-60 300 0s200 60 300 0 200-60 300 0 200 60 300 0v150H0Z`}),(0,W.jsx)(`path`,{d:`M0 120c75-44 150-44 225 0s150 44 225 0 150-44 225 0 150 44 225 0 150-44 300 0v100H0Z`}),(0,W.jsx)(`path`,{d:`M0 165c120-38 240-38 360 0s240 38 360 0 240-38 480 0v55H0Z`})]})}var mr=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`first`}],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},n=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[t],storageKey:null},{alias:null,args:[{kind:`Variable`,name:`first`,variableName:`first`}],concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[t,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null}],storageKey:null}],storageKey:null}],storageKey:null},{kind:`ClientExtension`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`__id`,storageKey:null}]}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LiveNowQuery`,selections:n,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LiveNowQuery`,selections:n},params:{cacheID:`c5c0bef5aa34d4f3bb22a7905abadfe6`,id:null,metadata:{},name:`LiveNowQuery`,operationKind:`query`,text:`query LiveNowQuery(
  $first: Int!
) {
  viewer {
    user {
      id
    }
    liveFeed(first: $first) {
      nodes {
        id
        title
        state
        scheduledAt
        startedAt
        endedAt
        host {
          id
          databaseId
          name
          handle
          viewerFollows
          viewerMutes
          viewerBlocks
        }
      }
    }
  }
}
`}}})();mr.hash=`1751d078427ff254437a3dfebce7822a`;var hr=class extends z.Component{state={failed:!1};static getDerivedStateFromError(){return{failed:!0}}render(){return this.state.failed?null:this.props.children}};function gr(e,t,n,r){let i=(0,B.useRelayEnvironment)(),a=JSON.stringify(t),o=(0,z.useMemo)(()=>(0,V.createOperationDescriptor)((0,V.getRequest)(e),JSON.parse(a)).request.identifier,[e,a]),s=(0,z.useCallback)(()=>{ae(i,o,e,JSON.parse(a))},[i,o,e,a]);de(i,o);let c=(0,B.useLazyLoadQuery)(e,t,r),l=n(c);return(0,z.useEffect)(()=>(ce(i,o)&&s(),()=>le(i,o)),[i,o,s]),(0,B.useSubscribeToInvalidationState)(l?[l]:[],s),c}var _r=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`ids`}],t=[{kind:`Variable`,name:`ids`,variableName:`ids`}],n={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`useFreshStatesQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[{fragment:{kind:`InlineFragment`,selections:[n,{args:null,kind:`FragmentSpread`,name:`LiveCard_session`}],type:`LiveSession`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`session`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`useFreshStatesQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},n,{kind:`InlineFragment`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},n],storageKey:null}],type:`LiveSession`,abstractKey:null}],storageKey:null}]},params:{cacheID:`e2eb35752487c1f18eeb9e12d79d3d3f`,id:null,metadata:{},name:`useFreshStatesQuery`,operationKind:`query`,text:`query useFreshStatesQuery(
  $ids: [ID!]!
) {
  nodes(ids: $ids) {
    __typename
    ... on LiveSession {
      id
      ...LiveCard_session
    }
    id
  }
}

fragment LiveCard_session on LiveSession {
  id
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    databaseId
    handle
    name
    id
  }
}
`}}})();_r.hash=`bec7d7d0ed7ee98ea27d375bb8ff679a`;var vr=1e4,yr=100;function br(e){let t=(0,B.useRelayEnvironment)(),n=e.filter(({node:e})=>e!=null&&e.state!==`REPLAY`).map(({node:e})=>e.id),r=(0,z.useRef)(n);(0,z.useEffect)(()=>{r.current=n.slice(0,yr)}),(0,z.useEffect)(()=>{let e=()=>{!document.hidden&&r.current.length&&(0,B.fetchQuery)(t,_r,{ids:r.current},{fetchPolicy:`network-only`}).subscribe({error:()=>void 0})},n=setInterval(e,vr);return document.addEventListener(`visibilitychange`,e),()=>{clearInterval(n),document.removeEventListener(`visibilitychange`,e)}},[t])}var xr=4;function Sr(){return(0,W.jsx)(hr,{children:(0,W.jsx)(z.Suspense,{children:(0,W.jsx)(wr,{})})})}var Cr=mr;function wr(){let{viewer:e}=gr(Cr,{first:xr},e=>e.viewer?.__id),t=t=>t.id===e?.user.id||t.viewerFollows&&!t.viewerMutes&&!t.viewerBlocks,n=m(`second`);br((e?.liveFeed.nodes??[]).map(e=>({node:e})));let r=e?.liveFeed.nodes.filter(({state:e,host:n})=>e!==`REPLAY`&&t(n))??[];return r.length?(0,W.jsxs)(`section`,{className:`card live-now`,"aria-labelledby":`live-now-title`,children:[(0,W.jsx)(`h2`,{id:`live-now-title`,children:`On air and coming up`}),(0,W.jsx)(`ul`,{children:r.map(e=>(0,W.jsxs)(`li`,{className:`live-small live-${e.state.toLowerCase()}`,children:[(0,W.jsx)(R,{user:e.host,size:`small`}),(0,W.jsxs)(`span`,{className:`live-words`,children:[(0,W.jsx)(`span`,{className:`live-title`,dir:`auto`,children:e.title}),(0,W.jsx)(`span`,{className:`live-clock`,children:(0,W.jsx)(`bdi`,{children:e.host.name})}),(0,W.jsx)(`span`,{className:`live-clock`,children:_(e,n)})]})]},e.id))}),(0,W.jsx)(F,{href:`/live`,className:`card-more`,children:`All sessions`})]}):null}function Tr({route:e}){let{session:t}=j(),[n,r]=(0,z.useState)(``);return(0,W.jsxs)(`aside`,{className:`beside`,"aria-label":`Beside the page`,children:[e.name!==`search`&&(0,W.jsxs)(`form`,{className:`search`,role:`search`,"aria-label":`People`,onSubmit:e=>{e.preventDefault(),L(fe(n.trim()))},children:[(0,W.jsx)(h,{name:`search`}),(0,W.jsx)(`input`,{type:`search`,dir:`auto`,"aria-label":`Find people`,placeholder:`Find people`,maxLength:100,value:n,onChange:e=>r(e.target.value)})]}),t.user&&e.name!==`live`&&(0,W.jsx)(Sr,{}),(0,W.jsx)(dr,{}),(0,W.jsxs)(`p`,{className:`hint`,children:[`Press `,(0,W.jsx)(`kbd`,{children:`?`}),` for the keys.`]})]})}var Er=M({posts:[],counted:0});function Dr({route:e}){let{session:t}=j(),{compose:n,account:r}=O(),{posts:i,counted:a}=P(he()?.state??Er),o=e.name!==`home`&&Ce(i.length,a)>0,s=r?.handle??t.user?.handle,c=t=>e.name===t,l=[{name:`home`,label:`Home`,icon:`home`,href:`/`,here:c(`home`)},{name:`search`,label:`Search`,icon:`search`,href:`/search`,here:c(`search`)},{name:`live`,label:`Live`,icon:`live`,href:`/live`,here:c(`live`)},...s?[{name:`profile`,label:`Profile`,icon:`person`,href:E(s),here:e.name===`profile`&&e.handle===s}]:[],{name:`settings`,label:`Settings`,icon:`settings`,href:`/settings`,here:c(`settings`)}];return(0,W.jsxs)(`header`,{className:`side`,children:[(0,W.jsxs)(F,{href:`/`,className:`brand`,"aria-label":`Tideline, home`,children:[(0,W.jsx)(re,{}),(0,W.jsx)(`span`,{children:`Tideline`})]}),(0,W.jsx)(`nav`,{className:`ways`,"aria-label":`Main`,children:l.map(e=>(0,W.jsxs)(F,{href:e.href,className:`way`,"aria-current":e.here?`page`:void 0,children:[(0,W.jsx)(h,{name:e.icon,filled:!1}),(0,W.jsx)(`span`,{children:e.label}),e.name===`home`&&o&&(0,W.jsx)(`span`,{className:`dot`,children:(0,W.jsx)(`span`,{className:`hidden`,children:`, new posts`})})]},e.name))}),t.user?(0,W.jsxs)(`button`,{type:`button`,className:`button button-primary side-compose`,onClick:()=>n({text:``}),children:[(0,W.jsx)(h,{name:`compose`}),` `,(0,W.jsx)(`span`,{children:`New post`})]}):(0,W.jsxs)(F,{href:`/`,className:`button button-primary side-compose`,children:[(0,W.jsx)(h,{name:`key`}),` `,(0,W.jsx)(`span`,{children:`Sign in`})]})]})}var Or=0,kr=[],Ar=[];function $(e){let t=null,n=!1,r=async()=>{let t=Or;try{return await e()}catch{if(t!==Or)return r();throw n=!0,new T(`UNREACHABLE`,`the page cannot be loaded`)}},i=()=>t??=r();return kr.push(()=>{n&&=(t=null,!1)}),Ar.push(()=>void i().catch(()=>void 0)),function(e){let t=(0,z.use)(i()).default;return(0,W.jsx)(t,{...e})}}var jr=$(()=>U(()=>import(`./client-ProfilePage-93dbbf6a.js`),__vite__mapDeps([0,1,2,3,4,5]))),Mr=$(()=>U(()=>import(`./client-SearchPage-269f02e9.js`),__vite__mapDeps([6,1,2,5,3]))),Nr=$(()=>U(()=>import(`./client-LivePage-af45f47d.js`),__vite__mapDeps([7,1,2,4]))),Pr=$(()=>U(()=>import(`./client-SettingsPage-29b5c7f5.js`),__vite__mapDeps([8,1,2,3])));function Fr(){Or++;for(let e of kr)e()}function Ir(){for(let e of Ar)e()}function Lr(){let{reachable:e,limitedUntil:t}=P(a().status);return(0,W.jsxs)(`div`,{className:`status-place`,role:`status`,children:[!e&&(0,W.jsxs)(`p`,{className:`status-bar`,children:[(0,W.jsx)(h,{name:`offline`}),` `,navigator.onLine?`The server does not answer.`:`You are offline.`,` What you see may be old.`]}),e&&t>0&&(0,W.jsx)(Rr,{until:t})]})}function Rr({until:e}){let t=Math.ceil((e-m(`second`))/1e3);return t<=0?null:(0,W.jsxs)(`p`,{className:`status-bar`,children:[(0,W.jsx)(h,{name:`clock`}),` The server asks for a pause of `,t,` s.`]})}var zr=new Set([`home`,`profile`,`post`]);function Br(){let e=P(D),{session:t}=j(),{compose:n}=O(),r=me(e.path,e.search),i=Ur(e),a=r.name===`home`&&(!t.user||C(e.search,location.href)!==null);return(0,W.jsxs)(`div`,{className:a?`shell shell-welcome`:`shell`,children:[(0,W.jsx)(`a`,{className:`skip`,href:`#main`,children:`Skip to the page`}),(0,W.jsx)(Lr,{}),!a&&(0,W.jsx)(Dr,{route:r}),(0,W.jsx)(`main`,{id:`main`,ref:i,tabIndex:-1,children:(0,W.jsx)(o,{onRetry:Fr,children:t=>(0,W.jsx)(z.Suspense,{fallback:(0,W.jsx)(y,{label:`Loading the page`}),children:a?(0,W.jsx)(fr,{}):(0,W.jsx)(Vr,{route:r,attempt:t},e.key)})},e.path)}),!a&&(0,W.jsx)(Tr,{route:r}),!a&&t.user&&zr.has(r.name)&&(0,W.jsx)(`button`,{type:`button`,className:`compose-button`,"aria-label":`Write a post`,onClick:()=>n({text:``}),children:(0,W.jsx)(h,{name:`compose`})})]})}function Vr({route:e,attempt:t}){switch(e.name){case`home`:return(0,W.jsx)(ar,{attempt:t});case`profile`:return(0,W.jsx)(jr,{handle:e.handle,tab:e.tab,attempt:t});case`post`:return(0,W.jsx)(ur,{id:e.id,attempt:t});case`live`:return(0,W.jsx)(Hr,{what:`live sessions`,children:(0,W.jsx)(Nr,{attempt:t})});case`search`:return(0,W.jsx)(Mr,{query:e.query});case`settings`:return(0,W.jsx)(Pr,{attempt:t});case`lost`:return(0,W.jsxs)(W.Fragment,{children:[(0,W.jsx)(I,{title:`Nothing here`}),(0,W.jsx)(A,{icon:`search`,title:`There is no such page`,children:(0,W.jsx)(F,{className:`button`,href:`/`,children:`Go home`})})]})}}function Hr({what:e,children:t}){let{session:n,expired:r}=j();return n.user?t:(0,W.jsxs)(A,{icon:`key`,title:r?`Your sign-in has expired`:`Sign in first`,children:[(0,W.jsxs)(`p`,{children:[`The `,e,` of people you follow are shown to you alone.`]}),(0,W.jsx)(F,{className:`button button-primary`,href:`/`,children:`Sign in`})]})}function Ur(e){let t=(0,z.useRef)(null),n=(0,z.useRef)(!0);return(0,z.useEffect)(()=>{n.current?n.current=!1:e.returned||(scrollTo({top:0,behavior:`instant`}),t.current?.contains(document.activeElement)||t.current?.focus({preventScroll:!0}))},[e.key,e.returned]),t}function Wr({connection:e}){let[t,n]=(0,z.useState)(null),[r,i]=(0,z.useState)(null),[a,o]=(0,z.useState)(!1),s=(0,z.useCallback)(e=>{u().then(t=>{i(null),n(t),o(e&&!t.user)},e=>i(e))},[]),l=(0,z.useCallback)(()=>s(!1),[s]);(0,z.useEffect)(l,[l]);let d=(0,z.useMemo)(()=>t&&{session:t,expired:a,change:e=>{o(!1),n(e)}},[t,a]);return(0,W.jsx)(ne,{value:e,children:(0,W.jsxs)(g,{children:[r!==null&&!d&&(0,W.jsx)(`main`,{className:`lone`,children:(0,W.jsx)(b,{error:r,retry:l})}),r===null&&!d&&(0,W.jsx)(`main`,{className:`lone`,children:(0,W.jsx)(y,{label:`Loading Tideline`})}),d&&(0,W.jsx)(c,{value:d,children:(0,W.jsx)(Gr,{connection:e,user:d.session.user?.id??null,signedOut:()=>s(d.session.user!==null)},d.session.user?.id??``)})]})})}function Gr({connection:e,user:t,signedOut:n}){let[{environment:r,news:i}]=(0,z.useState)(()=>{let r=new Be(`/graphql`),i=Pe(e,r,{known:t!==null,signedOut:n});return{environment:i,news:t===null?null:new De(i,r)}});return(0,z.useEffect)(()=>i?.start(),[i]),(0,W.jsx)(B.RelayEnvironmentProvider,{environment:r,children:(0,W.jsx)(ee,{value:i,children:(0,W.jsx)(Lt,{children:(0,W.jsx)(Br,{})})})})}var Kr=[`system`,`light`,`dark`],qr=`tideline-theme`;function Jr(){let e=localStorage.getItem(qr);return Kr.find(t=>t===e)??`system`}function Yr(e){e===`system`?(localStorage.removeItem(qr),delete document.documentElement.dataset.theme):(localStorage.setItem(qr,e),document.documentElement.dataset.theme=e)}var Xr=1e3,Zr=3e4,Qr=class{healthUrl;status=M({reachable:!0,limitedUntil:0});#e;#t=Xr;#n=0;constructor(e){this.healthUrl=e,addEventListener(`offline`,()=>this.lost()),addEventListener(`online`,()=>void this.#i()),navigator.onLine||this.lost()}asked(){let e=this.#n;return()=>{e===this.#n&&this.#r()}}#r(){clearTimeout(this.#e),this.#e=void 0,this.#t=Xr,this.status.get().reachable||this.status.set({...this.status.get(),reachable:!0})}lost(){this.status.get().reachable&&(this.#n++,this.status.set({...this.status.get(),reachable:!1})),this.#e??=setTimeout(()=>void this.#i(),this.#t)}limited(e){this.status.set({...this.status.get(),limitedUntil:Date.now()+Math.max(1,e)*1e3})}async#i(){clearTimeout(this.#e),this.#e=void 0;let e=this.asked();try{await fetch(this.healthUrl,{cache:`no-store`}),e()}catch{this.#t=Math.min(this.#t*2,Zr),this.lost()}}},$r=2e3;Yr(Jr()),se(),addEventListener(`hashchange`,()=>{ge(location.hash)!==null&&location.reload()});var ei=document.getElementById(`client`),ti=e=>{e instanceof T||console.error(e)},ni=new Qr(`/healthz`);ni.status.subscribe(()=>{ni.status.get().reachable&&(Fr(),Ir())}),ei&&(0,ve.createRoot)(ei,{onCaughtError:ti}).render((0,W.jsx)(Wr,{connection:ni})),setTimeout(Ir,$r);export{gr as a,zn as c,Qe as d,G as f,br as i,_n as l,Yr as n,dr as o,Jr as r,Yn as s,Kr as t,It as u};